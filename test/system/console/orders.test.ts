import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { parseUrn, urn, urnString } from '../../../protocol/urn.ts'
import { inspect, missingBrowser, type Size, type WatchedPage } from '../../console/browser.ts'
import { enrol, expectQuiet, marketOf, type StackSite, startSite } from '../../console/console.ts'
import { addWallet } from '../../console/wallet.ts'
import {
  createParties,
  deliver,
  fund,
  type Mode,
  type Parties,
  place,
  sign,
  type Trader,
  untilOrder,
} from '../../e2e/trading.ts'

const ON_CHAIN_MS = 30_000

describe('the two parties of an order', { skip: missingBrowser() ?? false, timeout: 240_000 }, () => {
  let site: StackSite
  let parties: Parties
  let buyer: WatchedPage
  let seller: WatchedPage
  before(async () => {
    // Longer than the parties take here; in a sandbox it is two seconds.
    site = await startSite({ env: { DISPUTE_EVIDENCE_SECONDS: '600' } })
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
    await openBoth(order)
    await step(seller.page, 'Propose…')
    await seller.page.getByLabel('Back to the buyer').fill('8')
    await step(seller.page, 'Propose it')
    await step(buyer.page, 'Accept the proposal')
    await buyer.page.locator('header').getByText('final').waitFor({ timeout: ON_CHAIN_MS })
    await buyer.page.getByText('Refunded').waitFor()
    await inspect(buyer, 'order-settled-desktop')
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
    await inspect(buyer, 'dispute-appealed-desktop')
    for (const watched of [buyer, seller]) expectQuiet(watched)
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
    await addWallet(watched.context, { rpcUrl, chainId: chain.chainId, account })
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

async function step(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}
