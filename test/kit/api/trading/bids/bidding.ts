import { expect } from 'chai'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { expectProblem, type Reply } from '../../platform/http/api.ts'
import { everything, newTrader, startMarket, type TestMarket, type Trader } from '../../trading.ts'

export const DAY = 86_400
export const wish = { title: 'Index', description: 'An index of a book of 300 pages.', max_price: '50.000000' }

/** A bid or a quote. */
interface Named {
  id: string
  urn: string
}

/** A market with one who asks for work and two who would do it. */
export interface Bidding {
  market: TestMarket
  buyer: Trader
  seller: Trader
  rival: Trader
  send: (
    method: string,
    path: string,
    token: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>
  /** A bid of the buyer's. */
  posted: (changes?: Record<string, unknown>) => Promise<Named>
  /** A quote on a bid; the seller's unless told whose. */
  quoted: (bid: { urn: string }, by?: Trader, changes?: Record<string, unknown>) => Promise<Named>
  order: (bid: { urn: string }, quote: { urn: string }, token?: string) => Promise<Reply>
  /** A quote's state. */
  stateOf: (quote: { urn: string }) => Promise<unknown>
  /** Expects a problem, and that nothing has changed. */
  refused: (call: () => Promise<Reply>, status: number, type: string, field?: string) => Promise<void>
  stop: () => Promise<void>
}

export async function startBidding(): Promise<Bidding> {
  const market = await startMarket()
  const [buyer, seller, rival] = [await newTrader(market), await newTrader(market), await newTrader(market)]
  const send: Bidding['send'] = (method, path, token, body, headers = {}) =>
    market.api.send(method, path, { token, body, headers })
  return {
    ...{ market, buyer, seller, rival, send },
    posted: async (changes = {}) => {
      const { body } = await buyer.client.call('createBid', { body: { ...wish, sla_seconds: 5 * DAY, ...changes } })
      return { id: body.urn.body, urn: urnString('bid', body.urn.body) }
    },
    quoted: async (bid, by = seller, changes = {}) => {
      const body = { bid_urn: bid.urn, price: '40.000000', ...changes }
      const answer = await by.client.call('createQuote', { body })
      return { id: answer.body.urn.body, urn: urnString('quote', answer.body.urn.body) }
    },
    order: (bid, quote, token = buyer.token) =>
      send('POST', '/v1/orders', token, { bid_urn: bid.urn, quote_urn: quote.urn, escrow_mode: 'custodied' }),
    stateOf: async (quote) => (await send('GET', `/v1/quotes/${quote.urn}`, seller.token)).body.state,
    refused: async (call, status, type, field) => {
      const before = await everything(market)
      expectProblem(await call(), status, type, field)
      expect(await everything(market)).to.deep.equal(before)
    },
    stop: market.stop,
  }
}
