import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { parseUrn, urnString } from '../../../protocol/encoding/urn.ts'
import { type AgentSecrets, createAgentKeys, publishAgentKeys, sealWords } from '../../../sdk/sealed.ts'
import { cancel, createTrader, fund, place, sign, type Trader, untilOrder } from '../../e2e/trading.ts'
import { inspect, missingBrowser, type WatchedPage } from '../../kit/console/browser.ts'
import { expectQuiet, marketOf } from '../../kit/console/console.ts'
import { acceptOn, ON_CHAIN_MS, type SeatedParties, seatParties, step, twoDigits } from '../../kit/console/parties.ts'
import { MINING_INTERVAL_MS } from '../../kit/stack/stack.ts'

const SECRET = 'The rhyme is “silver”.'

describe('the two parties of an order', { skip: missingBrowser() ?? false, timeout: 240_000 }, () => {
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

  it('change what is delivered, deliver, and pay by the contract alone', async () => {
    const order = await seated.funded('contract')
    await seated.openBoth(order)
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
    await seller.page.locator('header').getByText('in progress').waitFor()
    await step(seller.page, 'Deliver…')
    const delivery = seller.page.getByRole('dialog')
    await step(seller.page, 'Review it')
    await delivery.getByText('There is nothing to deliver').waitFor()
    await delivery
      .getByLabel('File')
      .setInputFiles({ name: 'verse.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) })
    await step(seller.page, 'Review it')
    await delivery.getByText('“verse.txt” is empty').waitFor()
    await delivery.getByLabel('File').setInputFiles([])
    await delivery.getByRole('textbox').fill('Fifty lines of verse.')
    await inspect(seller, 'order-deliver-phone')
    await step(seller.page, 'Review it')
    await delivery.getByText('The buyer decides on exactly this.').waitFor()
    expect(await delivery.textContent())
      .to.include('Fifty lines of verse.')
      .and.include('21 B')
    await inspect(seller, 'order-deliver-read-phone')
    await step(seller.page, 'Deliver it')
    await buyer.page.locator('header').getByText('delivered').waitFor()
    await takeOut(buyer, 'Pay the seller now', 'order-ways-out-desktop')
    await step(buyer.page, 'Ask my wallet’s node')
    await step(buyer.page, 'Connect Test Wallet')
    await buyer.page.getByText('your node confirms it').first().waitFor()
    await inspect(buyer, 'order-final-desktop')
    await step(buyer.page, 'Rate…')
    await inspect(buyer, 'order-rate-desktop')
    expect(await buyer.page.getByLabel('From 1 to 5').inputValue()).to.equal('')
    await buyer.page.getByLabel('From 1 to 5').fill('5')
    await buyer.page.getByRole('dialog').getByRole('button', { name: 'Rate' }).click()
    await buyer.page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('end it by the seller, who gives the money back by the contract', async () => {
    await seated.openBoth(await seated.funded('contract'))
    await takeOut(seller, 'Give the money back', 'order-ways-out-phone')
    await buyer.page.locator('header').getByText('final').waitFor({ timeout: ON_CHAIN_MS })
  })

  it('find what each order came to, with a receipt to print and files for their books', async () => {
    const { page } = seller
    await page.goto(`${site.sandbox.console_url}/money`)
    const table = page.getByRole('table', { name: 'Money of orders' })
    const sold = table.getByRole('row').filter({ hasText: '19.00' })
    await sold.getByText('to withdraw').waitFor()
    expect(await sold.textContent())
      .to.include('sold to')
      .and.include('20.00')
      .and.include('1.00')
    await inspect(seller, 'money-orders-phone')
    const [books] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Orders as CSV' }).click(),
    ])
    const rows = (await readFile(await books.path(), 'utf8')).split('\r\n').slice(1, -1)
    expect(
      rows.some(
        (row) => row.includes(',seller,') && row.includes(',USDC,20.000000,1.000000,19.000000,0.000000,to_withdraw,'),
      ),
    ).to.equal(true)
    await sold.getByRole('link', { name: 'Receipt' }).click()
    await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor()
    await page.getByText('SHA-256 of the signed document').waitFor()
    expect(await page.getByText('Paid to the seller').locator('..').textContent()).to.include('19.00')
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: 'Print' }).count()).to.equal(0)
    expect(await page.getByRole('navigation').count()).to.equal(0)
    await page.getByText('Paid to the seller').waitFor()
    await page.emulateMedia({ media: 'screen' })
    await inspect(seller, 'receipt-phone')
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
    await page.getByLabel('Use single keys').waitFor()
    await inspect(buyer, 'keys-desktop')
    await page.getByLabel('Use single keys').uncheck()
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

  it('hand over a file that meets what was agreed, which the buyer opens and finds to be the one that was announced', async () => {
    const criteria = [{ id: 'length', text: 'Twelve bytes.', check: { kind: 'size' as const, min_bytes: 12 } }]
    const order = await seated.funded('contract', { criteria })
    await seated.openBoth(order)
    await step(seller.page, 'Deliver…')
    const short = { name: 'short.md', mimeType: 'text/markdown', buffer: Buffer.from('Short.') }
    await seller.page.getByLabel('File').setInputFiles(short)
    await step(seller.page, 'Review it')
    const dialog = seller.page.getByRole('dialog')
    await dialog.getByText('✕ criterion 1, size: not met, 6 · Twelve bytes.').waitFor()
    // A button that has just changed takes no press, and is paler, for a moment.
    await dialog.locator('button[aria-busy=false]', { hasText: 'Deliver it anyway' }).waitFor()
    await inspect(seller, 'order-deliver-fails-phone')
    expect((await parties.seller.client.call('getOrder', { params: { urn: order } })).body.state).to.equal('funded')
    await step(seller.page, 'Change it')
    const file = { name: 'verse.md', mimeType: 'text/markdown', buffer: Buffer.from('Forty-two lines\u200b.') }
    await seller.page.getByLabel('File').setInputFiles(file)
    await step(seller.page, 'Review it')
    // Somebody who presses twice presses a button that has changed meanwhile.
    await dialog.getByRole('button', { name: 'Deliver it', exact: true }).click({ force: true })
    await seller.page.getByRole('dialog').getByText('verse.md').waitFor()
    expect(await seller.page.getByRole('dialog').getByTitle(sha256Hex(file.buffer)).count()).to.equal(1)
    await dialog.getByText('✓ criterion 1, size: met').waitFor()
    await step(seller.page, 'Deliver it')
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
    await page.getByText('Changed in the meantime: price, from 10.00 to 12.00').waitFor()
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

  it('see why a payment failed, and one that is confirming, which nobody can pay again', async () => {
    const { human, ...newcomer } = await createTrader(site.stack, { isVerified: false })
    // The wallet of its browser has nothing yet, and is not bound.
    const account = privateKeyToAccount(generatePrivateKey())
    const watched = await seated.enter({ ...newcomer, human, account }, 'desktop')
    const { page } = watched
    const { urn: order } = await place({ buyer: { ...newcomer, human }, seller: parties.seller }, { mode: 'contract' })
    await page.goto(`${site.sandbox.console_url}/orders/${parseUrn('order', order)}`)
    const openPay = async () => {
      await step(page, 'Pay…')
      await step(page, 'Connect Test Wallet')
      await page.getByRole('button', { name: 'Sign in the wallet' }).waitFor()
    }
    await openPay()
    await page.getByText('First your wallet signs that it is yours').click()
    await page.getByText('URI:').waitFor()
    await inspect(watched, 'order-pay-binding-desktop')
    await step(page, 'Sign in the wallet')
    const status = page.getByRole('status', { name: 'Payment' })
    await status.getByText('payment failed: insufficient balance').waitFor({ timeout: ON_CHAIN_MS })
    await status.getByText('Fill it up, then pay again.').waitFor()
    await inspect(watched, 'order-payment-failed-desktop')
    const signed = seated.walletOf(watched).asked.filter((method) => /sign/i.test(method))
    expect(signed).to.deep.equal(['personal_sign', 'eth_signTypedData_v4'])
    const { wallets } = (await human.call('listWallets', {})).body
    expect(wallets.map(({ address }) => address)).to.deep.equal([account.address])
    await newcomer.client.call('requestSandboxFunds', { body: { address: account.address } })
    await openPay()
    expect(await page.getByText('First your wallet signs').count()).to.equal(0)
    const { client } = site.stack.chain
    await client.setIntervalMining({ interval: 0 })
    try {
      await step(page, 'Sign in the wallet')
      await status.getByText('payment confirming').waitFor()
      await status.getByText(/^0x/).waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.getByRole('button', { name: 'Pay…' }).count()).to.equal(0)
      await inspect(watched, 'order-payment-confirming-desktop')
      await page.goto(site.sandbox.console_url)
      await page.getByText('payment confirming').first().waitFor()
      expect(await page.getByRole('row').filter({ hasText: '20.00' }).getByRole('button').count()).to.equal(0)
    } finally {
      await client.setIntervalMining({ interval: MINING_INTERVAL_MS / 1_000 })
    }
    await untilOrder({ ...newcomer, human }, order, 'funded')
    await cancel(parties.seller, order)
    const withdraw = page.getByRole('button', { name: 'Withdraw 20.00' })
    await withdraw.waitFor({ timeout: ON_CHAIN_MS })
    await inspect(watched, 'home-withdraw-desktop')
    await page.goto(`${site.sandbox.console_url}/orders/${parseUrn('order', order)}`)
    await withdraw.click()
    await page.getByText('Connect the one that has it').waitFor()
    await inspect(watched, 'order-withdraw-desktop')
    await step(page, 'Connect Test Wallet')
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText('Withdrawn in block').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await withdraw.waitFor({ state: 'detached', timeout: ON_CHAIN_MS })
    expectQuiet(watched)
    await watched.context.close()
  })

  it('keep a sealed order’s words between their agents', async () => {
    const { order, say } = await sealedOrder()
    await say({ kind: 'text' }, SECRET)
    await seated.openBoth(order)
    for (const { page } of [buyer, seller]) {
      await page.getByRole('heading', { name: 'Sealed', exact: true }).waitFor()
      await page.getByText('Disclose a message').click()
      await page.getByText('discloseMessage').first().waitFor()
      expect(await page.getByRole('button', { name: /^(Start the work|Deliver…|Propose…)$/ }).count()).to.equal(0)
      expect(await page.locator('main').textContent()).to.not.include(SECRET)
    }
    await inspect(seller, 'order-sealed-phone')
    await say({ kind: 'delivery_notice', payload: { kind: 'delivery', output_hash: sha256Hex(SECRET) } }, SECRET)
    seated.walletOf(buyer).isConnected = false
    await acceptOn(buyer.page)
    await buyer.page.getByText(/^The wallet that paid is not connected to this page\..* may wait\.$/).waitFor()
    expect(await seated.settlementsOf(order)).to.deep.equal([])
    await buyer.page.getByText('✓ a key of the market signed it').waitFor({ timeout: ON_CHAIN_MS })
    await inspect(buyer, 'order-sealed-final-desktop')
    for (const watched of [buyer, seller]) expectQuiet(watched)
  })

  it('let the buyer take the money back once the hold has expired, whatever the service does', async () => {
    const { page } = buyer
    const order = await seated.funded('contract')
    await seated.openBoth(order)
    await step(page, 'Settle on-chain…')
    await step(page, 'Connect Test Wallet')
    await step(page, 'Take the money back')
    await page.getByText(/^The hold expires at/).waitFor()
    const { body } = await marketOf(site, parties.buyer.token).call('getOrderTimeline', { params: { urn: order } })
    const expiry = body.ahead.find(({ what }) => what === 'expire')?.at ?? ''
    const { timestamp } = await site.stack.chain.client.getBlock()
    // The contract refuses in the very second of the expiry.
    const seconds = Math.ceil(Date.parse(expiry) / 1_000) + 1 - Number(timestamp)
    const operator = marketOf(site, site.stack.credentials.operator_token)
    await operator.call('advanceSandboxClock', { body: { seconds } })
    // The clock leaves who is signed in signed in. A session that ends leaves what was open, for after the
    // passkey.
    await buyer.context.clearCookies()
    await step(page, 'Sign in with a passkey')
    await step(page, 'Take the money back')
    await page.getByText('Sent:').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('header').getByText('cancelled').waitFor({ timeout: ON_CHAIN_MS })
    await page.getByText('Refunded').waitFor()
    await inspect(buyer, 'order-reclaimed-desktop')
    expectQuiet(buyer)
  })

  /**
   * The buyer's owner offers a task of their org on the market. Answers its short id, and the id of its bid.
   */
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

  /** Ends an order by a transaction of the party's own wallet. */
  async function takeOut(watched: WatchedPage, way: string, picture: string): Promise<void> {
    await step(watched.page, 'Settle on-chain…')
    await step(watched.page, 'Connect Test Wallet')
    await watched.page.getByRole('button', { name: way }).waitFor()
    await inspect(watched, picture)
    await step(watched.page, way)
    await watched.page.getByText('Sent:').waitFor()
    await watched.page.getByRole('button', { name: 'Close' }).click()
    await watched.page.locator('header').getByText('final').waitFor({ timeout: ON_CHAIN_MS })
  }
})
