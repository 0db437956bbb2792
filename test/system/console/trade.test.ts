import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { buildConsole } from '../../../cli/stack/console.ts'
import { createParties, type Party } from '../../../cli/user/demo/parties.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { inspect, inspectInBoth, missingBrowser, SIZES, type WatchedPage } from '../../kit/console/browser.ts'
import {
  type ConsoleStack,
  expectQuiet,
  inspectAll,
  marketOf,
  signUp,
  startConsole,
} from '../../kit/console/console.ts'
import { addWallet, type TestWallet } from '../../kit/console/wallet.ts'

// Compressed.
const FIRST_LOAD_BYTES = 170_000
const PART_BYTES = 110_000
const FIRST_TRADE_MS = 180_000
const WORK = 'Forty-two lines of verse.'
// Run in the page: has it read again what is old, as a return to its window does, and counts ticks for a
// while.
const FEWEST_TICKS = `(async () => {
  const ticks = () => document.querySelector('aside').textContent.split('✓').length - 1
  let fewest = ticks()
  const watch = new MutationObserver(() => { fewest = Math.min(fewest, ticks()) })
  watch.observe(document.body, { subtree: true, childList: true, characterData: true })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
  return fewest
})()`

describe('a person who buys', { skip: missingBrowser() ?? false, timeout: 240_000 }, () => {
  let stack: ConsoleStack
  let buyer: WatchedPage
  let wallet: TestWallet
  let seller: Party
  let askId: string
  let settledId: string
  before(async () => {
    stack = await startConsole()
    seller = (await createParties(stack.sandbox)).seller
    const ask = await marketOf(stack, seller.token).call('createAsk', {
      body: {
        title: 'Verse on any subject',
        description: 'Forty-two lines, **rhymed**.',
        price: '20.000000',
        criteria: [{ id: 'length', text: 'At least a thousand bytes.', check: { kind: 'size', min_bytes: 1_000 } }],
        criteria_complete: true,
      },
    })
    askId = ask.body.urn.body
  })
  after(() => stack?.stop())

  it('gets pages and files under a policy, and an answer that there is none for what is neither', async () => {
    const get = (path: string) => fetch(stack.sandbox.console_url + path)
    for (const path of ['', '/', '/orders', '/orders/01890000-0000-7000-8000-000000000000', '/verify']) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('cache-control')], path).to.deep.equal([200, 'no-cache'])
      expect(answer.headers.get('content-security-policy'))
        .to.include("default-src 'none'; script-src 'self'")
        .and.include("require-trusted-types-for 'script'")
        .and.not.match(/unsafe/)
    }
    const [asset = ''] = /\/assets\/[^"]+\.js/.exec(await (await get('')).text()) ?? []
    expect((await get(asset)).headers.get('cache-control')).to.include('immutable')
    for (const path of ['/nothing', '/assets/gone.js', '/orders/a/b'])
      expect((await get(path)).status, path).to.equal(404)
  })

  it('is small: what every page needs, and each part that is loaded when it is needed', async () => {
    const folder = join(await buildConsole(), 'assets')
    const sizes = new Map<string, number>()
    for (const name of await readdir(folder))
      if (/\.gz$|\.woff2$/.test(name)) sizes.set(name, (await stat(join(folder, name))).size)
    const first = [...sizes]
      .filter(([name]) => /^index-|\.woff2$/.test(name))
      .reduce((sum, [, bytes]) => sum + bytes, 0)
    expect(first, 'of every page, fonts included').to.be.below(FIRST_LOAD_BYTES)
    expect([...sizes].filter(([, bytes]) => bytes > PART_BYTES)).to.deep.equal([])
  })

  it('signs up with a passkey, and has an agent order', async () => {
    buyer = await signUp(stack, 'desktop', 'Ada')
    const { page, context } = buyer
    const { chain_id: chainId, rpc_url: rpcUrl } = stack.sandbox
    wallet = await addWallet(context, { chainId, rpcUrl })
    await marketOf(stack, seller.token).call('requestSandboxFunds', { body: { address: wallet.address } })
    await createAgent(buyer, 'Kestrel')
    await page.goto(`${stack.sandbox.console_url}/market?q=verse`)
    await page.getByRole('link', { name: 'Verse on any subject' }).click()
    await inspect(buyer, 'ask-desktop')
    await page.getByRole('button', { name: 'Order…' }).click()
    await page.getByRole('button', { name: 'Place the order' }).click()
    await page.getByRole('button', { name: 'Pay…' }).waitFor()
    await inspect(buyer, 'order-placed-desktop')
  })

  it('sees what is signed, signs it in their wallet, and watches the order being paid, delivered and settled', async () => {
    const { page } = buyer
    await page.getByRole('button', { name: 'Pay…' }).click()
    await page.getByRole('button', { name: 'Connect Test Wallet' }).click()
    await page.getByText('Recomputed here from these terms').waitFor()
    await inspect(buyer, 'order-pay-desktop')
    Object.assign(wallet, { chainId: 1, knowsChain: false })
    await page.getByRole('button', { name: 'Sign in the wallet' }).click()
    await page.locator('header').getByText('funded').waitFor({ timeout: 30_000 })
    expect([wallet.knowsChain, wallet.chainId]).to.deep.equal([true, stack.sandbox.chain_id])
    settledId = orderIdOf(page.url())
    await deliver(stack, seller, settledId)
    wallet.answers = 'no'
    await page.getByRole('button', { name: 'Accept…' }).click({ timeout: 30_000 })
    await page.getByRole('button', { name: /^Accept and pay \d/ }).click()
    await page.getByText(/^You refused it in your wallet\..* so the payout may wait\.$/).waitFor()
    wallet.answers = 'yes'
    await page.getByText('✓ a key of the market signed it').waitFor({ timeout: 60_000 })
    const text = (await page.locator('aside').textContent()) ?? ''
    expect(text).to.not.include('✕')
    expect(text.match(/✓/g)).to.have.length(5)
    await inspect(buyer, 'order-final-desktop')
  })

  it('rejects another delivery, and opens a dispute', async () => {
    const { page } = buyer
    await page.goto(`${stack.sandbox.console_url}/market/${askId}`)
    await page.getByRole('button', { name: 'Order…' }).click()
    await page.getByRole('button', { name: 'Place the order' }).click()
    await page.getByRole('button', { name: 'Pay…' }).click()
    await page.getByRole('button', { name: 'Connect Test Wallet' }).click()
    await page.getByRole('button', { name: 'Sign in the wallet' }).click()
    await page.locator('header').getByText('funded').waitFor({ timeout: 30_000 })
    await deliver(stack, seller, orderIdOf(page.url()))
    await page.getByRole('button', { name: 'Reject…' }).click({ timeout: 30_000 })
    await page.getByLabel('What is wrong with it').fill('There are only forty-one lines.')
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByRole('button', { name: 'Dispute…' }).click({ timeout: 30_000 })
    await page.getByLabel('Parts are missing').check()
    await page.getByRole('textbox', { name: 'What happened' }).fill('A line is missing.')
    await page.getByLabel('You want back, USDC').fill('20')
    await page.getByRole('button', { name: 'Open the dispute' }).click()
    await page.getByRole('heading', { level: 1, name: /^Dispute/ }).waitFor()
    await page.getByText('Back to the buyer: 20.00 USDC').waitFor()
    await page.getByText('A line is missing.').waitFor()
    await inspect(buyer, 'dispute-desktop')
    // The windows of a sandbox are seconds, and the check of the delivery's size decides.
    await page.getByRole('heading', { name: 'Verdict' }).waitFor({ timeout: 60_000 })
    await page.getByText('checked here').waitFor()
    await inspect(buyer, 'verdict-desktop')
    await page.getByRole('button', { name: 'I will not appeal…' }).click()
    await page.getByText('You cannot appeal afterwards.').waitFor()
    await inspect(buyer, 'verdict-waive-desktop')
    await page.getByRole('button', { name: 'I will not appeal', exact: true }).click()
    await page.getByRole('button', { name: 'I will not appeal…' }).waitFor({ state: 'detached' })
  })

  it('finds asks within prices, each with its seller, and has the record of one signed', async () => {
    const { page } = buyer
    await page.goto(`${stack.sandbox.console_url}/market?q=verse`)
    const row = page.getByRole('row', { name: /Verse on any subject/ })
    await row.waitFor()
    // The dispute's order counts once its window to appeal is over.
    expect((await row.getByRole('cell').allTextContents()).slice(1, 4).join(' · ')).to.match(
      /^SA\s*Seller agent · not rated, [12] orders? · 50% lost$/,
    )
    await page.getByLabel('To, USDC').fill('19.99')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('No asks match this search.').waitFor()
    expect(new URL(page.url()).search).to.equal('?q=verse&max_price=19.99')
    await page.goBack()
    expect(await page.getByLabel('To, USDC').inputValue()).to.equal('')
    await page.getByLabel('Sort by').selectOption('price')
    await page.waitForURL('**/market?q=verse&sort=price')
    await row.waitFor()
    await inspectInBoth(buyer, 'market-desktop')
    await row.getByRole('link', { name: 'Seller agent' }).click()
    await page.getByRole('heading', { level: 1, name: 'Seller agent' }).waitFor()
    await page.getByRole('table', { name: 'Asks of this agent' }).getByText('Verse on any subject').waitFor()
    await page.getByRole('button', { name: 'Get a signed answer…' }).click()
    await page.getByRole('button', { name: 'Get the answer' }).click()
    await page.getByText('Yes, it meets them. ✓ a key of the market signed it').waitFor()
    await inspectInBoth(buyer, 'seller-signed-desktop')
  })

  it('finds every order readable on a phone', async () => {
    await buyer.page.setViewportSize(SIZES.phone.viewport)
    const orders = await orderIds(buyer)
    await inspectAll(
      buyer,
      orders.map((id, index) => [`/orders/${id}`, `order-${index}`]),
      'phone',
    )
    expectQuiet(buyer)
  })

  it('trades without an extension: two people who type go from a seller’s page to a final order within three minutes', async () => {
    const startedMs = Date.now()
    const [selling, buying] = await Promise.all([firstSteps('Sam', 'Quill'), firstSteps('Zoe', 'Merlin')])
    await selling.page.goto(`${stack.sandbox.console_url}/asks`)
    await selling.page.getByRole('button', { name: 'Offer something…' }).click()
    await type(selling, 'Title', 'Two lines of verse')
    await type(selling, 'Description', 'On any subject, by tomorrow.')
    await type(selling, 'Price, USDC', '5')
    await selling.page.getByRole('button', { name: 'Offer it' }).click()
    await selling.page.getByRole('cell', { name: 'Two lines of verse' }).waitFor()
    const { page } = buying
    await page.goto(`${stack.sandbox.console_url}/market?q=two+lines`)
    await page.getByRole('link', { name: 'Quill' }).click()
    await page.getByRole('heading', { level: 1, name: 'Quill' }).waitFor()
    const offered = page.getByRole('table', { name: 'Asks of this agent' })
    await offered.getByRole('link', { name: 'Two lines of verse' }).click()
    await orderAndPay(buying)
    await selling.page.goto(page.url())
    await selling.page.getByRole('button', { name: 'Deliver…' }).click()
    await type(selling, 'Note to the buyer', 'A heron stands. The river goes.')
    await selling.page.getByRole('button', { name: 'Review it' }).click()
    await selling.page.getByRole('button', { name: 'Deliver it' }).click({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Accept…' }).click({ timeout: 30_000 })
    await page.getByRole('button', { name: /^Accept and pay \d/ }).click()
    await page.locator('header').getByText('final').waitFor({ timeout: 60_000 })
    expect(Date.now() - startedMs).to.be.below(FIRST_TRADE_MS)
    for (const one of [selling, buying]) expectQuiet(one)
  })

  it('lets the time to decide end by the clock of the sandbox, and stays signed in', async () => {
    const visitor = await firstSteps('Ann', 'Wren')
    const { page } = visitor
    await page.goto(`${stack.sandbox.console_url}/market/${askId}`)
    await orderAndPay(visitor)
    const before = await page.locator('nav time').getAttribute('datetime')
    await deliver(stack, seller, orderIdOf(page.url()))
    await page.locator('header').getByText('delivered').waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Advance to the end of this window' }).click()
    await page.locator('header').getByText('final').waitFor({ timeout: 60_000 })
    const after = await page.locator('nav time').getAttribute('datetime')
    expect(Date.parse(after ?? '') - Date.parse(before ?? '')).to.be.within(86_000_000, 87_000_000)
    await inspect(visitor, 'order-clock-desktop')
    expectQuiet(visitor)
  })

  describe('as time passes in the page', () => {
    before(() => buyer.page.clock.install())

    it('keeps the ticks of a proof in sight while the keys that they rest on are read again', async () => {
      const { page } = buyer
      await page.goto(`${stack.sandbox.console_url}/orders/${settledId}`)
      await page.getByText('✓ a key of the market signed it').waitFor({ timeout: 30_000 })
      await page.clock.fastForward(60_000)
      const read = page.waitForResponse('**/v1/config/public')
      const fewest = page.evaluate<number>(FEWEST_TICKS)
      await (await read).finished()
      expect(await fewest).to.equal(5)
    })

    it('is told when a call goes on that the service put off, and when to try again where it does not', async () => {
      const { page, messages } = buyer
      const type = 'market:error:request/rate-limited'
      const answer = (seconds: number) => ({
        status: 429,
        headers: { 'retry-after': String(seconds) },
        contentType: 'application/problem+json',
        body: JSON.stringify({ type, status: 429, detail: 'Too many searches.', instance: 'market:request:1' }),
      })
      await page.route('**/v1/search*', (route) => route.fulfill(answer(20)), { times: 1 })
      await page.goto(`${stack.sandbox.console_url}/market`)
      await page.getByText('There were too many calls at once. The call is repeated automatically at').waitFor()
      await inspect(buyer, 'waits-desktop')
      await page.clock.fastForward(30_000)
      await page.getByRole('link', { name: 'Verse on any subject' }).first().waitFor()
      await page.getByText('The call is repeated automatically at').waitFor({ state: 'detached' })
      await page.route('**/v1/search*', (route) => route.fulfill(answer(3_600)))
      await page.goto(`${stack.sandbox.console_url}/market?q=rhyme`)
      await page.getByText('You can try again at').waitFor()
      await page.unroute('**/v1/search*')
      messages.splice(0, Number.POSITIVE_INFINITY, ...messages.filter((one) => !/status of 429/.test(one)))
    })
  })

  /** Signs somebody up, who makes a wallet in the first steps, and an agent. */
  async function firstSteps(name: string, agent: string): Promise<WatchedPage> {
    const visitor = await signUp(stack, 'desktop', name)
    const { page } = visitor
    await page.getByRole('button', { name: 'Make a sandbox wallet, with test money' }).click()
    await page.getByText('done: ').waitFor({ timeout: 30_000 })
    await inspect(visitor, 'first-steps-desktop')
    await page.getByRole('link', { name: 'Create an agent' }).click()
    await page.getByRole('button', { name: 'Create an agent' }).click()
    await type(visitor, 'Name', agent)
    await page.getByRole('button', { name: 'Create the agent' }).click()
    await page.getByRole('heading', { level: 1, name: agent }).waitFor()
    return visitor
  }
})

/** Orders the ask of the page, and pays by the wallet of the page itself. */
async function orderAndPay(visitor: WatchedPage): Promise<void> {
  const { page } = visitor
  await page.getByRole('button', { name: 'Order…' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()
  await page.getByRole('button', { name: 'Pay…' }).click()
  await page.getByRole('button', { name: 'Connect sandbox wallet' }).click()
  await inspect(visitor, 'order-pay-sandbox-desktop')
  await page.getByRole('button', { name: 'Sign in the wallet' }).click()
  await page.locator('header').getByText('funded').waitFor({ timeout: 30_000 })
}

/** Types a text key by key. */
async function type({ page }: WatchedPage, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).pressSequentially(text, { delay: 20 })
}

async function createAgent({ page }: WatchedPage, name: string): Promise<void> {
  const made = await page.evaluate(async (display_name) => {
    const headers = { 'content-type': 'application/json', 'market-version': '2026-05-17' }
    const me = (await (await fetch('/v1/me', { headers })).json()) as { owner_urn: object }
    const body = JSON.stringify({ owner_urn: me.owner_urn, display_name })
    return (await fetch('/v1/accounts/agents', { method: 'POST', headers, body })).status
  }, name)
  expect(made).to.equal(201)
}

async function orderIds({ page }: WatchedPage): Promise<string[]> {
  return page.evaluate(async () => {
    const { orders } = (await (await fetch('/v1/orders')).json()) as { orders: { urn: { body: string } }[] }
    return orders.map(({ urn }) => urn.body)
  })
}

function orderIdOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? ''
}

async function deliver(stack: ConsoleStack, seller: Party, orderId: string): Promise<void> {
  const market = marketOf(stack, seller.token)
  const { body: order } = await market.call('getOrder', { params: { urn: urnString('order', orderId) } })
  const output_hash = createHash('sha256').update(WORK).digest('hex')
  const thread_urn = urnString('thread', order.thread_urn?.body ?? '')
  const payload = { kind: 'delivery', output_hash }
  await market.call('postMessage', { body: { thread_urn, kind: 'delivery_notice', payload, body: WORK } })
}
