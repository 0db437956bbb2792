import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { build, type Rolldown } from 'vite'
import { ROOT } from '../../../cli/machine/paths.ts'
import { newTrader, startMarket, type TestMarket, type Trader } from '../../kit/api/trading.ts'
import { missingBrowser, openBrowser } from '../../kit/console/browser.ts'

// Half a day of a developer: a page of their own, on an origin that nobody configured here.
const PROGRAM = `
import { createMarket } from '${ROOT}sdk/market.ts'
const { baseUrl, token } = JSON.parse(decodeURIComponent(location.hash.slice(1)))
const market = createMarket({ baseUrl, token })
const asks = await Array.fromAsync(market.pages('searchAsks', { query: {} }))
const events = market.events({ from: 'earliest', subjects: ['order.placed'] })
const first = events.next()
const placed = await market.call('placeOrder', { body: { ask_urn: asks[0].urn, escrow_mode: 'custodied' } })
const { value } = await first
const refused = await createMarket({ baseUrl, token: 'of_nobody' }).call('getMe', {}).catch((error) => error)
document.title = JSON.stringify({
  titles: asks.map(({ title }) => title),
  status: placed.status,
  event: value.event_type,
  refused: refused.type,
})
`

describe('a static page of another origin', { skip: missingBrowser() ?? false }, () => {
  let market: TestMarket
  let seller: Trader
  let folder: string
  before(async () => {
    market = await startMarket()
    seller = await newTrader(market)
    folder = await mkdtemp(join(tmpdir(), 'other-origin-'))
  })
  after(async () => {
    await market?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('lists asks, places an order, follows events and reads a refusal, with a token alone [risk foreign-page]', async () => {
    const description = 'Forty-two lines.'
    await seller.client.call('createAsk', { body: { title: 'Verse', description, price: '20.000000' } })
    const buyer = await newTrader(market)
    const script = await bundled(folder)
    const server = createServer(({ url }, response) => {
      response.setHeader('content-type', url === '/page.js' ? 'text/javascript' : 'text/html')
      response.end(url === '/page.js' ? script : '<!doctype html><script type="module" src="/page.js"></script>')
    }).listen(0, '127.0.0.1')
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const faults: string[] = []
      page.on('pageerror', ({ message }) => faults.push(message))
      const given = encodeURIComponent(JSON.stringify({ baseUrl: market.api.baseUrl, token: buyer.token }))
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/#${given}`)
      await page.waitForFunction('document.title !== ""').catch(() => expect(faults).to.deep.equal([]))
      expect(JSON.parse(await page.title())).to.deep.equal({
        titles: ['Verse'],
        status: 402,
        event: 'order.placed',
        refused: 'market:error:auth/unauthenticated',
      })
    } finally {
      await browser.close()
      server.closeAllConnections()
      server.close()
    }
  })
})

async function bundled(folder: string): Promise<string> {
  const input = join(folder, 'page.js')
  await writeFile(input, PROGRAM)
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    resolve: { conditions: ['browser'] },
    build: { write: false, modulePreload: false, target: 'es2023', rolldownOptions: { input } },
  })
  const { output } = built as Rolldown.RolldownOutput
  const [entry] = output
  return entry.code
}
