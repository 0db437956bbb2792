import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { parseUrn, urn, urnString } from '../../../protocol/encoding/urn.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import {
  accept as acceptOrder,
  createTrader,
  deliver,
  fund,
  place,
  sign,
  untilOrder,
  untilThere,
} from '../../e2e/trading.ts'
import { inspect, missingBrowser } from '../../kit/console/browser.ts'
import { enrol, expectQuiet, marketOf } from '../../kit/console/console.ts'
import { ON_CHAIN_MS, type SeatedParties, seatParties, step, twoDigits } from '../../kit/console/parties.ts'
import { MINING_INTERVAL_MS } from '../../kit/stack/stack.ts'

describe('what becomes of the money of an order', { skip: missingBrowser() ?? false, timeout: 240_000 }, () => {
  let site: SeatedParties['site']
  let parties: SeatedParties['parties']
  let buyer: SeatedParties['buyer']
  let seller: SeatedParties['seller']
  let seated: SeatedParties
  before(async () => {
    seated = await seatParties()
    ;({ site, parties, buyer, seller } = seated)
  })
  after(() => site?.stop())

  it('settle a dispute between themselves', async () => {
    // Both have used their wallets here before: what they agree on is signed in them.
    for (const watched of [buyer, seller]) seated.walletOf(watched).isConnected = true
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
    await seated.openBoth(order)
    await step(seller.page, 'Propose…')
    await seller.page.getByLabel('Back to the buyer').fill('8')
    await step(seller.page, 'Propose it')
    await step(buyer.page, 'Accept the proposal')
    await buyer.page.locator('header').getByText('final').waitFor({ timeout: ON_CHAIN_MS })
    await buyer.page.getByText('Refunded').waitFor()
    await inspect(buyer, 'order-settled-desktop')
    expect(await seated.settlementsOf(order)).to.deep.equal(['payee 8000000', 'payer 8000000'])
  })

  it('have a person decide anew, for a fee that the wallet signs', async () => {
    const { order, dispute } = await disputed()
    const params = { urn: urnString('dispute', dispute) }
    for (const { token } of [parties.buyer, parties.seller])
      await marketOf(site, token).call('declareReady', { params })
    await buyer.page.goto(`${site.sandbox.console_url}/disputes/${dispute}`)
    await step(buyer.page, 'Appeal…')
    await step(buyer.page, 'Show the fee')
    await buyer.page.getByText('Choose the wallet that pays the fee').waitFor()
    await inspect(buyer, 'dispute-appeal-desktop')
    const { client } = site.stack.chain
    await client.setIntervalMining({ interval: 0 })
    try {
      await step(buyer.page, 'Connect Test Wallet')
      const status = buyer.page.getByRole('status', { name: 'Payment' })
      await status.getByText('payment confirming, fee of the buyer’s appeal').waitFor()
      await status.getByText(/^0x/).waitFor()
      await buyer.page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await buyer.page.getByRole('button', { name: 'Appeal…', exact: true }).count()).to.equal(0)
      await inspect(buyer, 'dispute-fee-confirming-desktop')
    } finally {
      await client.setIntervalMining({ interval: MINING_INTERVAL_MS / 1_000 })
    }
    await step(buyer.page, 'On the appeal…')
    await buyer.page.getByRole('textbox', { name: 'Statement' }).fill('It counts the title as a line.')
    await step(buyer.page, 'Send it')
    await buyer.page.getByText('It counts the title as a line.').waitFor()
    await buyer.page.locator('header').getByText('in review').waitFor({ timeout: ON_CHAIN_MS })
    await step(buyer.page, 'A file for the appeal…')
    await buyer.page.getByLabel('File', { exact: true }).setInputFiles(fileOf('count.txt', 'Forty-one lines.'))
    await inspect(buyer, 'dispute-appeal-file-desktop')
    await step(buyer.page, 'Submit it')
    await buyer.page.getByRole('cell', { name: 'count.txt' }).waitFor()
    await inspect(buyer, 'dispute-appealed-desktop')
    await seller.page.goto(`${site.sandbox.console_url}/orders/${order.split(':').at(-1)}`)
    const main = seller.page.locator('main')
    for (const told of ['Reason for rejection of delivery 1', 'Appeal of the buyer', /^Verdict for the/])
      await main.getByRole('heading', { level: 2, name: told }).waitFor()
    const happened = main.getByRole('region', { name: 'What happened' })
    await happened.getByText('A line is missing.').waitFor()
    await happened.getByText('The buyer appealed the verdict').waitFor()
    await happened.getByText(/^Verdict for the/).waitFor()
    await main.getByText('It counts the title as a line.').waitFor()
    expect(await main.textContent()).to.not.include('Reason for cancellation')
    await inspect(seller, 'order-told-phone')
    const ended = await seated.funded('custodied')
    const body = { reason_code: 'cannot_deliver' as const }
    await marketOf(site, parties.seller.token).call('cancelOrder', { params: { urn: ended }, body })
    await seller.page.goto(`${site.sandbox.console_url}/orders/${ended.split(':').at(-1)}`)
    const why = main.getByRole('region', { name: 'Reason for cancellation' })
    await why.getByText('The seller cannot deliver.').waitFor()
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

  it('decide on deliveries by single keys, and from home, signed in the wallet where it will', async () => {
    const { page } = buyer
    const signed = await delivered()
    await seated.openBoth(signed)
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
    await page.getByRole('dialog').getByText('Accepting pays the seller 20.00 USDC, less the fee.').waitFor()
    expect(await page.locator('fieldset[aria-label="Payment"] button').allTextContents()).to.deep.equal(['Accept…'])
    await page.locator('header').getByText('rejected').waitFor()
    await step(page, 'Accept and pay 20.00')
    await page
      .locator('header')
      .getByText(/accepted|final/)
      .waitFor()
    expect(await seated.settlementsOf(signed)).to.deep.equal(['payer 0'])
    const skipped = await delivered()
    await page.goto(site.sandbox.console_url)
    // The last of them: others were delivered before, and have to be decided before.
    const listed = page.getByRole('button', { name: 'Accept…' })
    await listed.first().waitFor()
    const before = await listed.count()
    await listed.last().click()
    await page.getByRole('dialog').getByText('Forty-two lines of verse.').waitFor()
    await inspect(buyer, 'home-accept-desktop')
    seated.walletOf(buyer).answers = 'never'
    await step(page, 'Accept and pay 20.00')
    await page.getByText('Your wallet asks you to sign where the money goes').waitFor()
    await inspect(buyer, 'home-signing-desktop')
    await step(page, 'Continue without it')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText(/^You continued without your wallet\..* so the payout may wait\.$/).waitFor()
    seated.walletOf(buyer).answers = 'yes'
    expect(await seated.settlementsOf(skipped)).to.deep.equal([])
    await inspect(buyer, 'home-unsigned-desktop')
    await listed.nth(before - 1).waitFor({ state: 'detached' })
    expectQuiet(buyer)
  })

  it('decide nothing while the seller’s wallet differs from the one that they signed for, until they agree', async () => {
    const { page } = buyer
    const order = await delivered()
    const [paidTo, former] = [parties.seller.account.address, `0x${'00'.repeat(19)}aa`]
    const kept = { [urnString('agent', parties.seller.agentId)]: [former] }
    seated.walletOf(buyer).isConnected = true
    await page.evaluate((payees) => localStorage.setItem('payees', payees), JSON.stringify(kept))
    await seated.openBoth(order)
    await step(page, 'Accept…')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('For the seller’s wallet').waitFor()
    await dialog.getByText(paidTo).waitFor()
    await step(page, 'Accept and pay 20.00')
    await dialog.getByText('The seller’s wallet has changed.').waitFor()
    await dialog.getByText(former.slice(-6)).waitFor()
    await inspect(buyer, 'order-payee-changed-desktop')
    await untilOrder(parties.buyer, order, 'delivered')
    expect(await seated.settlementsOf(order)).to.deep.equal([])
    await step(page, 'The seller confirmed the new wallet')
    await step(page, 'Accept and pay 20.00')
    await dialog.waitFor({ state: 'detached' })
    expect(await seated.settlementsOf(order)).to.deep.equal(['payer 0'])
    expectQuiet(buyer)
  })

  it('tell a seller from home that a payout waits for a wallet, until one is bound', async () => {
    const unbound = await createTrader(site.stack, { isVerified: false })
    const { urn: order, offer } = await place({ buyer: parties.buyer, seller: unbound }, { mode: 'custodied' })
    await fund(parties.buyer, order, await sign(site.stack, offer, parties.buyer.account))
    await deliver(unbound, await untilOrder(unbound, order, 'funded'))
    await untilOrder(unbound, order, 'delivered')
    await acceptOrder(parties.buyer, order)
    const watched = await seated.enter(unbound, 'phone')
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

  it('find what custody owes them in the signed books, and what it owed them before', async () => {
    const { page } = buyer
    const { human, client } = parties.buyer
    // The page asks for whole seconds: what was booked last is from an earlier one.
    const operator = marketOf(site, site.stack.credentials.operator_token)
    await operator.call('advanceSandboxClock', { body: { seconds: 1 } })
    const { body: before } = await human.call('readBalances', {})
    const order = await seated.funded('custodied')
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
    const held = page.getByText('In custody, for open orders').locator('..')
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

  async function delivered(): Promise<string> {
    const order = await seated.funded('custodied')
    await deliver(parties.seller, await untilOrder(parties.buyer, order, 'funded'))
    await untilOrder(parties.buyer, order, 'delivered')
    return order
  }

  async function disputed(): Promise<{ order: string; dispute: string }> {
    const order = await seated.funded('custodied')
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
})
