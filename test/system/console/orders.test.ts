import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { parseUrn, urn, urnString } from '../../../protocol/encoding/urn.ts'
import { type AgentSecrets, createAgentKeys, publishAgentKeys, sealWords } from '../../../sdk/sealed.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import {
  accept as acceptOrder,
  createParties,
  createTrader,
  deliver,
  fund,
  type Mode,
  type Parties,
  place,
  sign,
  type Trader,
  untilOrder,
  untilThere,
} from '../../e2e/trading.ts'
import { inspect, missingBrowser, type Size, type WatchedPage } from '../../kit/console/browser.ts'
import { enrol, expectQuiet, marketOf, type StackSite, startSite } from '../../kit/console/console.ts'
import { addWallet, type TestWallet } from '../../kit/console/wallet.ts'

const ON_CHAIN_MS = 30_000
const SECRET = 'The rhyme is “silver”.'

describe('the two parties of an order', { skip: missingBrowser() ?? false, timeout: 240_000 }, () => {
  let site: StackSite
  let parties: Parties
  let buyer: WatchedPage
  let seller: WatchedPage
  const wallets = new Map<WatchedPage, TestWallet>()
  before(async () => {
    // Longer than the parties take here; in a sandbox it is two seconds.
    site = await startSite({ env: { DISPUTE_EVIDENCE_SECONDS: '600', LIABILITY_SECONDS: '1' } })
    parties = await createParties(site.stack)
    ;[buyer, seller] = await Promise.all([enter(parties.buyer, 'desktop'), enter(parties.seller, 'phone')])
  })
  after(() => site?.stop())

  it('change what is delivered, deliver, and pay by the contract alone', async () => {
    const order = await funded('contract')
    await openBoth(order)
    await step(buyer.page, 'Propose…')
    await buyer.page.getByRole('textbox', { name: 'What changes' }).fill('Fifty lines, and a title.')
    await buyer.page.getByLabel('Days to deliver').fill('9')
    await inspect(buyer, 'order-propose-desktop')
    await step(buyer.page, 'Propose it')
    await seller.page.getByText('Fifty lines, and a title.').first().waitFor()
    await inspect(seller, 'order-proposed-phone')
    await step(seller.page, 'Accept the proposal')
    await seller.page.getByRole('button', { name: 'Accept the proposal' }).waitFor({ state: 'detached' })
    await step(seller.page, 'Start the work')
    await seller.page.locator('header').getByText('in flight').waitFor()
    await step(seller.page, 'Deliver…')
    await seller.page.getByRole('dialog').getByRole('textbox').fill('Fifty lines of verse.')
    await inspect(seller, 'order-deliver-phone')
    await seller.page.getByRole('dialog').getByRole('button', { name: 'Deliver', exact: true }).click()
    await buyer.page.locator('header').getByText('delivered').waitFor()
    await takeOut(buyer, 'Pay the seller now', 'order-ways-out-desktop')
    await step(buyer.page, 'Ask my wallet’s node')
    await step(buyer.page, 'Connect Test Wallet')
    await buyer.page.getByText('your node has it there').first().waitFor()
    await inspect(buyer, 'order-final-desktop')
    await step(buyer.page, 'Rate…')
    await inspect(buyer, 'order-rate-desktop')
    await buyer.page.getByRole('dialog').getByRole('button', { name: 'Rate' }).click()
    await buyer.page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('end it by the seller, who gives the money back by the contract', async () => {
    await openBoth(await funded('contract'))
    await takeOut(seller, 'Give the money back', 'order-ways-out-phone')
    await buyer.page.locator('header').getByText('final').waitFor({ timeout: ON_CHAIN_MS })
  })

  it('go about by keys alone', async () => {
    const { page } = buyer
    await page.goto(site.sandbox.console_url)
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await page.getByRole('link', { name: 'Verse' }).first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Verse' }).waitFor()
    await page.keyboard.press('?')
    await page.getByLabel('Single keys do this').waitFor()
    await inspect(buyer, 'keys-desktop')
    await page.getByLabel('Single keys do this').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: /^A page/ }).fill('walle')
    await inspect(buyer, 'palette-desktop')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor()
    await page.evaluate(() => localStorage.removeItem('keys'))
  })

  it('hand over a file, which the buyer opens and finds to be the one that was announced', async () => {
    await openBoth(await funded('contract'))
    await step(seller.page, 'Deliver…')
    const file = { name: 'verse.md', mimeType: 'text/markdown', buffer: Buffer.from('Forty-two lines\u200b.') }
    await seller.page.getByLabel('File').setInputFiles(file)
    await seller.page.getByRole('dialog').getByRole('button', { name: 'Deliver', exact: true }).click()
    await step(buyer.page, 'Open')
    await buyer.page.getByText('with the SHA-256 that was announced').waitFor()
    await buyer.page.getByText('Forty-two lines\\u{200b}.').waitFor()
    await inspect(buyer, 'order-delivered-desktop')
    const [saved] = await Promise.all([
      buyer.page.waitForEvent('download'),
      buyer.page.getByRole('link', { name: 'Save', exact: true }).click(),
    ])
    expect(saved.suggestedFilename()).to.equal(file.name)
    expect(await readFile(await saved.path())).to.deep.equal(file.buffer)
    await buyer.page.keyboard.press('Escape')
  })

  it('settle a dispute between themselves', async () => {
    const { order, dispute } = await disputed()
    await seller.page.goto(`${site.sandbox.console_url}/disputes/${dispute}`)
    await step(seller.page, 'Respond…')
    await seller.page.getByRole('textbox', { name: 'What happened' }).fill('It is verse, and it rhymes.')
    await inspect(seller, 'dispute-respond-phone')
    await seller.page.getByRole('dialog').getByRole('button', { name: 'Respond' }).click()
    await seller.page.getByText('It is verse, and it rhymes.').waitFor()
    await step(seller.page, 'Add evidence…')
    await seller.page.getByLabel(/^delivery notice/).check()
    await inspect(seller, 'dispute-evidence-phone')
    await step(seller.page, 'Add it')
    await seller.page.getByRole('cell', { name: /^delivery notice/ }).waitFor()
    await buyer.page.goto(`${site.sandbox.console_url}/disputes/${dispute}`)
    await step(buyer.page, 'Add evidence…')
    await buyer.page.getByLabel('A file of yours').setInputFiles(fileOf('proof.txt', 'Line 7 is missing.'))
    await step(buyer.page, 'Add it')
    await seller.page.getByRole('cell', { name: 'proof.txt' }).waitFor()
    await step(seller.page, 'Open')
    await seller.page.getByRole('dialog').getByText('Line 7 is missing.').waitFor()
    await inspect(seller, 'dispute-file-phone')
    await seller.page.keyboard.press('Escape')
    await openBoth(order)
    await step(seller.page, 'Propose…')
    await seller.page.getByLabel('Back to the buyer').fill('8')
    await step(seller.page, 'Propose it')
    await step(buyer.page, 'Accept the proposal')
    await buyer.page.locator('header').getByText('final').waitFor({ timeout: ON_CHAIN_MS })
    await buyer.page.getByText('Refunded').waitFor()
    await inspect(buyer, 'order-settled-desktop')
    expect(await settlementsOf(order)).to.deep.equal(['payee 8000000', 'payer 8000000'])
  })

  it('have a person decide anew, for a fee that the wallet signs', async () => {
    const { dispute } = await disputed()
    const params = { urn: urnString('dispute', dispute) }
    for (const { token } of [parties.buyer, parties.seller])
      await marketOf(site, token).call('declareReady', { params })
    await buyer.page.goto(`${site.sandbox.console_url}/disputes/${dispute}`)
    await step(buyer.page, 'Appeal…')
    await step(buyer.page, 'Ask what it costs')
    await buyer.page.getByText('Choose the wallet that pays it').waitFor()
    await inspect(buyer, 'dispute-appeal-desktop')
    await step(buyer.page, 'Connect Test Wallet')
    await buyer.page.getByRole('dialog').waitFor({ state: 'detached' })
    await step(buyer.page, 'On the appeal…')
    await buyer.page.getByRole('textbox', { name: 'Statement' }).fill('It counts the title as a line.')
    await step(buyer.page, 'Say it')
    await buyer.page.getByText('It counts the title as a line.').waitFor()
    await buyer.page.locator('header').getByText('in review').waitFor({ timeout: ON_CHAIN_MS })
    await step(buyer.page, 'A file for the appeal…')
    await buyer.page.getByLabel('File', { exact: true }).setInputFiles(fileOf('count.txt', 'Forty-one lines.'))
    await inspect(buyer, 'dispute-appeal-file-desktop')
    await step(buyer.page, 'Hand it in')
    await buyer.page.getByRole('cell', { name: 'count.txt' }).waitFor()
    await inspect(buyer, 'dispute-appealed-desktop')
    const reviewer = await enrol(site, 'desktop', await linkOfReviewer(dispute))
    await reviewer.page.goto(`${site.sandbox.console_url}/operate/reviews/${dispute}`)
    await step(reviewer.page, 'Read the case')
    await reviewer.page
      .getByRole('row', { name: /count.txt/ })
      .getByRole('button', { name: 'Open' })
      .click()
    await reviewer.page.getByRole('dialog').getByText('Forty-one lines.').waitFor()
    await inspect(reviewer, 'review-handed-in-desktop')
    expectQuiet(reviewer)
    for (const watched of [buyer, seller]) expectQuiet(watched)
  })

  it('agree by a quote on who does a task of an org, which both reach from the order', async () => {
    const { task, bid } = await offerTask()
    const { page } = seller
    await page.goto(`${site.sandbox.console_url}/bids?show=open`)
    await page.getByRole('link', { name: 'Proofread' }).click()
    await quote(page, '30')
    await inspect(seller, 'bid-quoted-phone')
    await step(page, 'Withdraw')
    await page.getByRole('cell', { name: 'withdrawn' }).waitFor()
    await quote(page, '25.5')
    await quote(page, '24.5')
    await page.getByRole('cell', { name: 'replaced' }).waitFor()
    await page.goto(`${site.sandbox.console_url}/bids?show=quotes`)
    await page.getByRole('link', { name: 'By noon.' }).first().waitFor()
    await buyer.page.goto(`${site.sandbox.console_url}/bids/${bid}`)
    await step(buyer.page, 'Order it…')
    await inspect(buyer, 'bid-order-desktop')
    await step(buyer.page, 'Place the order')
    await buyer.page.locator('header').getByText('placed').waitFor()
    await buyer.page.locator('header').getByText('24.50').waitFor()
    await step(buyer.page, 'Pay…')
    await step(buyer.page, 'Connect Test Wallet')
    await step(buyer.page, 'Sign in the wallet')
    await buyer.page.locator('header').getByText('funded').waitFor({ timeout: ON_CHAIN_MS })
    await page.goto(buyer.page.url())
    for (const each of [buyer.page, page]) {
      await each.getByRole('link', { name: 'Proofread' }).click()
      await each.waitForURL(`**/orgs/press/tasks/${task}`)
      await each.getByText('Every comma of it.').waitFor()
      expect(await each.getByRole('alert').count()).to.equal(0)
    }
    expect(await page.getByRole('heading', { name: 'Comments' }).count()).to.equal(0)
    await inspect(seller, 'task-sold-phone')
    for (const watched of [buyer, seller]) expectQuiet(watched)
  })

  it('have an ask revised, and every version of it kept with its criteria', async () => {
    const { page } = seller
    const market = marketOf(site, parties.seller.token)
    const check = { kind: 'size' as const, min_bytes: 1_000 }
    const criteria = [{ id: 'length', text: 'Long enough to sing.', check }]
    const { body } = await market.call('createAsk', {
      body: { title: 'Song', description: 'A song.', price: '10.000000', criteria, criteria_complete: true },
    })
    const params = { urn: urnString('ask', body.urn.body) }
    await page.goto(`${site.sandbox.console_url}/market/${body.urn.body}`)
    await step(page, 'Revise…')
    await page.getByLabel('Price, USDC').fill('14')
    await page.getByRole('dialog').getByText('Delivered within').waitFor()
    // Another program of the seller's is quicker.
    await market.call('reviseAsk', { params, body: { price: '12.000000', criteria: [] } })
    await step(page, 'Revise it')
    await page.getByText('Changed meanwhile: price, from 10.00 to 12.00').waitFor()
    await inspect(seller, 'ask-revised-meanwhile-phone')
    expect((await market.call('getAsk', { params })).body).to.include({ price: '12.000000', version: 2 })
    await step(page, 'Revise it')
    await page.locator('summary', { hasText: 'Version 3' }).waitFor()
    await page.getByText('changed: price, criteria').waitFor()
    await page.locator('summary', { hasText: 'Version 1' }).click()
    await page.getByText('Long enough to sing.').waitFor()
    await page.getByText('at least 1.0 kB').waitFor()
    await inspect(seller, 'ask-versions-phone')
    expect((await market.call('getAsk', { params })).body).to.include({ price: '14.000000', version: 3 })
    await page.goto(`${site.sandbox.console_url}/market/${body.urn.body}?version=2`)
    await page.getByText('12.00').last().waitFor()
    expect(await page.locator('details[open]').count()).to.equal(1)
    seller.messages.splice(0, Number.POSITIVE_INFINITY, ...seller.messages.filter((one) => !/status of 412/.test(one)))
  })

  it('decide on deliveries by single keys, and from home, signed in the wallet where it will', async () => {
    const { page } = buyer
    const signed = await delivered()
    await openBoth(signed)
    await page.getByRole('button', { name: 'Reject…' }).waitFor()
    await page.keyboard.press('r')
    await page.getByLabel('What is wrong with it').fill('A line is missing.')
    await step(page, 'Reject')
    await page.getByRole('button', { name: 'Dispute…' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('d')
    await page.getByRole('dialog', { name: /dispute/i }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('a')
    expect(await page.locator('button:focus').textContent()).to.equal('Accept the delivery')
    await page.locator('header').getByText('rejected').waitFor()
    await page.keyboard.press('Enter')
    await page
      .locator('header')
      .getByText(/accepted|final/)
      .waitFor()
    expect(await settlementsOf(signed)).to.deep.equal(['payer 0'])
    const skipped = await delivered()
    await page.goto(site.sandbox.console_url)
    // The last of them: others were delivered before, and have to be decided before.
    const listed = page.getByRole('button', { name: 'Accept…' })
    await listed.first().waitFor()
    const before = await listed.count()
    await listed.last().click()
    await page.getByRole('dialog').getByText('Forty-two lines of verse.').waitFor()
    await inspect(buyer, 'home-accept-desktop')
    walletOf(buyer).answers = 'never'
    await step(page, 'Accept the delivery')
    await page.getByText('Your wallet asks you to sign what happens to the money').waitFor()
    await inspect(buyer, 'home-signing-desktop')
    await step(page, 'Go on without it')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText(/^You went on without your wallet\..* so the payout may wait\.$/).waitFor()
    walletOf(buyer).answers = 'yes'
    expect(await settlementsOf(skipped)).to.deep.equal([])
    await inspect(buyer, 'home-unsigned-desktop')
    await listed.nth(before - 1).waitFor({ state: 'detached' })
    expectQuiet(buyer)
  })

  it('tell a seller from home that a payout waits for a wallet, until one is bound', async () => {
    const unbound = await createTrader(site.stack, { isVerified: false })
    const { urn: order, offer } = await place({ buyer: parties.buyer, seller: unbound }, { mode: 'custodied' })
    await fund(parties.buyer, order, await sign(site.stack, offer, parties.buyer.account))
    await deliver(unbound, await untilOrder(unbound, order, 'funded'))
    await untilOrder(unbound, order, 'delivered')
    await acceptOrder(parties.buyer, order)
    const watched = await enter(unbound, 'phone')
    const { page } = watched
    const waiting = page.getByRole('link', { name: 'A payout waits: bind a wallet to be paid to' })
    await waiting.waitFor({ timeout: ON_CHAIN_MS })
    await page.getByText('19.00').first().waitFor()
    await inspect(watched, 'home-blocked-phone')
    await waiting.click()
    await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor()
    await bindWallet(unbound.human, unbound.account)
    await untilThere(
      'the payout goes out',
      async () => (await unbound.human.call('listPayouts', {})).body.payouts,
      ([payout]) => payout?.state !== 'blocked',
    )
    await page.goto(site.sandbox.console_url)
    await page.getByRole('heading', { name: 'Latest orders' }).waitFor()
    await waiting.waitFor({ state: 'detached' })
    expectQuiet(watched)
    await watched.context.close()
  })

  it('keep a sealed order’s words between their agents', async () => {
    const { order, say } = await sealedOrder()
    await say({ kind: 'text' }, SECRET)
    await openBoth(order)
    for (const { page } of [buyer, seller]) {
      await page.getByRole('heading', { name: 'Sealed', exact: true }).waitFor()
      await page.getByText('Disclose a message').click()
      await page.getByText('discloseMessage').first().waitFor()
      expect(await page.getByRole('button', { name: /^(Start the work|Deliver…|Propose…)$/ }).count()).to.equal(0)
      expect(await page.locator('main').textContent()).to.not.include(SECRET)
    }
    await inspect(seller, 'order-sealed-phone')
    await say({ kind: 'delivery_notice', payload: { kind: 'delivery', output_hash: sha256Hex(SECRET) } }, SECRET)
    walletOf(buyer).isConnected = false
    await step(buyer.page, 'Accept the delivery')
    await buyer.page.getByText(/^The wallet that paid is not connected to this page\..* may wait\.$/).waitFor()
    expect(await settlementsOf(order)).to.deep.equal([])
    await buyer.page.getByText('✓ a key of the market signed it').waitFor({ timeout: ON_CHAIN_MS })
    await inspect(buyer, 'order-sealed-final-desktop')
    for (const watched of [buyer, seller]) expectQuiet(watched)
  })

  it('find what custody owes them in the signed books, and what it owed them before', async () => {
    const { page } = buyer
    const { human, client } = parties.buyer
    // The page asks for whole seconds: what was booked last is from an earlier one.
    const operator = marketOf(site, site.stack.credentials.operator_token)
    await operator.call('advanceSandboxClock', { body: { seconds: 1 } })
    const { body: before } = await human.call('readBalances', {})
    const order = await funded('custodied')
    const { body: now } = await human.call('readBalances', {})
    expect(now.custody.held).to.not.equal(before.custody.held)
    const isIn = ({ balances }: { balances: { account: string }[] }) =>
      balances.some(({ account }) => account.includes(parseUrn('order', order) ?? ''))
    await untilThere('its hold is published', async () => (await client.call('listInclusions', {})).body, isIn)
    await page.goto(`${site.sandbox.console_url}/money`)
    await step(page, 'Check it here')
    await page.getByText('✓ the same root').waitFor()
    await page.getByText('○ the service’s word').waitFor()
    await step(page, 'Ask my wallet’s node')
    await step(page, 'Connect Test Wallet')
    await page.getByText('✓ your node: at least as much').waitFor()
    await inspect(buyer, 'money-proved-desktop')
    const [saved] = await Promise.all([page.waitForEvent('download'), step(page, 'Save the proof')])
    const held = page.getByText('In custody, for orders not decided').locator('..')
    await held.getByText(twoDigits(now.custody.held)).waitFor()
    await page.getByLabel('At', { exact: true }).fill(before.as_of.slice(0, 19))
    await held.getByText(twoDigits(before.custody.held)).waitFor()
    await page.goto(`${site.sandbox.console_url}/verify`)
    await page.getByLabel('File').setInputFiles(await saved.path())
    await page.getByText(/^✓ a key of the market signed that/).waitFor()
    await page
      .getByText(/^✓ hold:.*leads to the signed root/)
      .first()
      .waitFor()
    const proof = JSON.parse(await readFile(await saved.path(), 'utf8')) as { balances: { amount: string }[] }
    const forged = { ...proof, balances: proof.balances.map((balance) => ({ ...balance, amount: '21.000000' })) }
    await page.getByLabel('Proof, as JSON').fill(JSON.stringify(forged))
    await page
      .getByText(/^✕ hold:/)
      .first()
      .waitFor()
    await inspect(buyer, 'verify-forged-desktop')
    expectQuiet(buyer)
  })

  it('let the buyer take the money back once the hold has expired, whatever the service does', async () => {
    const { page } = buyer
    const order = await funded('contract')
    await openBoth(order)
    await step(page, 'Ways out on chain…')
    await step(page, 'Connect Test Wallet')
    await step(page, 'Take the money back')
    await page.getByText(/^The hold expires on/).waitFor()
    const { body } = await marketOf(site, parties.buyer.token).call('getOrderTimeline', { params: { urn: order } })
    const expiry = body.ahead.find(({ what }) => what === 'expire')?.at ?? ''
    const { timestamp } = await site.stack.chain.client.getBlock()
    const seconds = Math.ceil(Date.parse(expiry) / 1_000) - Number(timestamp)
    const operator = marketOf(site, site.stack.credentials.operator_token)
    await operator.call('advanceSandboxClock', { body: { seconds } })
    // Months later nobody is signed in any more; what was open is still there after the passkey.
    await step(page, 'Sign in with a passkey')
    await step(page, 'Take the money back')
    await page.getByText('Sent:').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('header').getByText('final').waitFor({ timeout: ON_CHAIN_MS })
    await page.getByText('Refunded').waitFor()
    await inspect(buyer, 'order-reclaimed-desktop')
    expectQuiet(buyer)
  })

  /** Lets the owner of an agent in, with the agent's wallet. */
  async function enter({ human, account }: Trader, size: Size): Promise<WatchedPage> {
    const { body: me } = await human.call('getMe', {})
    const operator = marketOf(site, site.stack.credentials.operator_token)
    const params = { urn: urnString('human', me.urn.body) }
    const { body } = await operator.call('issueEnrolment', { params })
    const watched = await enrol(site, size, `${site.sandbox.console_url}/enrol#${body.enrolment}`)
    const { rpcUrl, chain } = site.stack
    wallets.set(watched, await addWallet(watched.context, { rpcUrl, chainId: chain.chainId, account }))
    return watched
  }

  async function openBoth(order: string): Promise<void> {
    const address = `${site.sandbox.console_url}/orders/${parseUrn('order', order)}`
    await Promise.all([buyer, seller].map(({ page }) => page.goto(address)))
  }

  async function funded(mode: Mode): Promise<string> {
    const { urn: order, offer } = await place(parties, { mode })
    await fund(parties.buyer, order, await sign(site.stack, offer, parties.buyer.account))
    await untilOrder(parties.buyer, order, 'funded')
    return order
  }

  async function delivered(): Promise<string> {
    const order = await funded('custodied')
    await deliver(parties.seller, await untilOrder(parties.buyer, order, 'funded'))
    await untilOrder(parties.buyer, order, 'delivered')
    return order
  }

  /** The buyer's owner offers a task of their org on the market. Answers its short id, and the id of its bid. */
  async function offerTask(): Promise<{ task: string; bid: string }> {
    const { human, agentId } = parties.buyer
    const params = { org: 'press' }
    await human.call('createOrg', { body: { slug: 'press', display_name: 'The press' } })
    const { body: space } = await human.call('createSpace', { params, body: { name: 'Next issue' } })
    const task = { space: space.id, title: 'Proofread', text: 'Every comma of it.' }
    const { body: filed } = await human.call('createTask', { params, body: task })
    const { body: offered } = await human.call('offerTask', {
      params: { ...params, ref: filed.id },
      body: { max_price: '40.000000' },
      agent: urnString('agent', agentId),
    })
    return { task: filed.short_id, bid: offered.bid_urn?.body ?? '' }
  }

  function walletOf(watched: WatchedPage): TestWallet {
    const wallet = wallets.get(watched)
    if (!wallet) throw new Error('no wallet is in that browser')
    return wallet
  }

  /** Returns who signed how the payment of an order is distributed, each with what goes back, in micro-units. */
  async function settlementsOf(order: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: site.stack.databaseUrl })
    await client.connect()
    try {
      const { rows } = await client.query<{ party: string; refund: string }>(
        'select party, refund_micros::text as refund from market.settlement_approvals where order_id = $1 order by party',
        [parseUrn('order', order)],
      )
      return rows.map(({ party, refund }) => `${party} ${refund}`)
    } finally {
      await client.end()
    }
  }

  async function quote(page: Page, price: string): Promise<void> {
    await step(page, 'Quote…')
    await page.getByLabel('Price, USDC').fill(price)
    await page.getByRole('textbox', { name: 'Message' }).fill('By noon.')
    await step(page, 'Quote it')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: twoDigits(price) }).waitFor()
  }

  /** A paid order whose messages are sealed, and what seals words of its seller's. */
  async function sealedOrder() {
    const network = `eip155:${site.stack.chain.chainId}`
    const drawn = new Map<Trader, AgentSecrets>()
    for (const trader of [parties.buyer, parties.seller]) {
      const secrets = await createAgentKeys(urnString('agent', trader.agentId))
      await publishAgentKeys(trader.client, secrets, trader.account, network)
      drawn.set(trader, secrets)
    }
    const { urn: order, offer } = await place(parties, { mode: 'custodied', sealed: true })
    await fund(parties.buyer, order, await sign(site.stack, offer, parties.buyer.account))
    const { thread_urn } = await untilOrder(parties.buyer, order, 'funded')
    const { client } = parties.seller
    const { body: thread } = await client.call('getThread', {
      params: { urn: urnString('thread', thread_urn?.body ?? '') },
    })
    const secrets = drawn.get(parties.seller) as AgentSecrets
    const say = async (
      message: { kind: 'text' | 'delivery_notice'; payload?: Record<string, unknown> },
      body: string,
    ) => {
      const other = { wallet: parties.buyer.account.address, network }
      const { sealed } = await sealWords(thread, secrets, message, { body, payload: null }, other)
      await client.call('postMessage', { body: { thread_urn: thread.thread_urn, ...message, sealed } })
    }
    return { order, say }
  }

  async function disputed(): Promise<{ order: string; dispute: string }> {
    const order = await funded('custodied')
    await deliver(parties.seller, await untilOrder(parties.buyer, order, 'funded'))
    const market = marketOf(site, parties.buyer.token)
    await market.call('rejectOrder', { params: { urn: order }, body: { reason: 'A line is missing.' } })
    const claim = { grounds: ['quality' as const], what_happened: 'A line is missing.', requested_refund: '10.000000' }
    const opener_urn = urn('agent', parties.buyer.agentId)
    const { body } = await market.call('openDispute', { body: { order_urn: order, opener_urn, claim } })
    return { order, dispute: body.urn.body }
  }

  function fileOf(name: string, text: string) {
    return { name, mimeType: 'text/plain', buffer: Buffer.from(text) }
  }

  /** Returns the link that lets in whoever is to review a dispute. */
  async function linkOfReviewer(dispute: string): Promise<string | undefined> {
    for (const [index, token] of site.stack.credentials.reviewer_tokens.entries()) {
      const { reviews } = (await marketOf(site, token).call('listReviews', {})).body
      if (reviews.some(({ dispute_urn }) => dispute_urn.body === dispute)) return site.links.reviewers[index]
    }
    return undefined
  }

  /** Ends an order by a transaction of the party's own wallet. */
  async function takeOut(watched: WatchedPage, way: string, picture: string): Promise<void> {
    await step(watched.page, 'Ways out on chain…')
    await step(watched.page, 'Connect Test Wallet')
    await watched.page.getByRole('button', { name: way }).waitFor()
    await inspect(watched, picture)
    await step(watched.page, way)
    await watched.page.getByText('Sent:').waitFor()
    await watched.page.getByRole('button', { name: 'Close' }).click()
    await watched.page.locator('header').getByText('final').waitFor({ timeout: ON_CHAIN_MS })
  }
})

function twoDigits(amount: string): string {
  return Number(amount).toFixed(2)
}

async function step(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}
