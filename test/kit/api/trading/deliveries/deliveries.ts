import { readdir } from 'node:fs/promises'
import { expect } from 'chai'
import { sha256Hex } from '../../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { expectProblem, type Reply } from '../../platform/http/api.ts'
import {
  everything,
  funded,
  newTrader,
  type PlacedOrder,
  placed,
  startMarket,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../trading.ts'

export const WORK = Buffer.from('Forty-two lines of verse.')
export const HASH = sha256Hex(WORK)
/** How many bytes may be uploaded. */
export const LIMIT = 1_000_000

/** A market with an order that is worked on, and what is done with deliveries there. */
export interface Deliveries {
  market: TestMarket
  buyer: Trader
  seller: Trader
  stranger: Trader
  order: PlacedOrder
  /** Another order that is worked on. */
  working: () => Promise<PlacedOrder>
  query: (changes?: Record<string, string>) => URLSearchParams
  upload: (
    raw: string | Buffer | ReadableStream<Uint8Array>,
    changes?: Record<string, string>,
    as?: Trader,
    headers?: Record<string, string>,
  ) => Promise<Reply>
  /** When everything about the next upload is done, whatever became of it. */
  nextUpload: () => Promise<void>
  /** Uploads the work for an order. */
  keep: (of: PlacedOrder, filename?: string) => Promise<string>
  /** The seller says that it is delivered. */
  notice: (of: PlacedOrder, delivery_urn: string, output_hash?: string) => Promise<Reply>
  readAs: typeof readAs
  linkOf: (as: Trader, urn: string) => Promise<string>
  fetchLink: (link: string, method?: string) => Promise<Response>
  refusedLink: (link: string, status: number, type: string, field?: string) => Promise<void>
  /** The names of the files in the store. */
  files: () => Promise<string[]>
  /** Expects that an act changes neither rows nor files. */
  leavesNothing: (act: () => Promise<unknown>) => Promise<void>
  stop: () => Promise<void>
}

export async function startDeliveries(): Promise<Deliveries> {
  // The log's line of a request is written when everything about it is done.
  let uploaded = Promise.withResolvers<void>()
  const write = (line: string) => {
    if (JSON.parse(line).operationId === 'uploadDelivery') uploaded.resolve()
  }
  const market = await startMarket({ log: { write } })
  market.api.settings.rules.maxDeliveryBytes = LIMIT
  const [buyer, seller, stranger] = [await newTrader(market), await newTrader(market), await newTrader(market)]
  const working = async () => funded(market, await placed(buyer, seller, 'custodied'))
  const order = await working()
  const query: Deliveries['query'] = (changes = {}) =>
    new URLSearchParams({ order_urn: order.urn, output_hash: HASH, ...changes })
  const files = async () => {
    const entries = await readdir(market.api.settings.blobDirectory, { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }
  return {
    ...{ market, buyer, seller, stranger, order, working, query, files, readAs },
    upload: (raw, changes = {}, as = seller, headers = {}) =>
      market.api.send('POST', `/v1/deliveries?${query(changes)}`, { token: as.token, raw, headers }),
    nextUpload: () => {
      uploaded = Promise.withResolvers()
      return uploaded.promise
    },
    keep: async (of, filename = 'verse.txt') => {
      const { body } = await seller.client.call('uploadDelivery', {
        query: { order_urn: of.urn, output_hash: HASH, filename },
        upload: new Uint8Array(WORK),
      })
      return urnString('delivery', body.delivery_urn.body)
    },
    notice: async (of, delivery_urn, output_hash = HASH) =>
      market.api.send('POST', '/v1/messages', {
        token: seller.token,
        body: {
          thread_urn: await threadOf(of),
          kind: 'delivery_notice',
          payload: { kind: 'delivery', output_hash, delivery_urn },
        },
      }),
    linkOf: async (as, urn) => {
      const { pathname, search } = new URL((await readAs(as, urn)).download?.url ?? '')
      return pathname + search
    },
    fetchLink: (link, method = 'GET') => fetch(market.api.baseUrl + link, { method }),
    refusedLink: async (link, status, type, field) =>
      expectProblem(await market.api.send('GET', link), status, type, field),
    leavesNothing: async (act) => {
      const [rows, kept] = [await everything(market), await files()]
      await act()
      expect(await everything(market)).to.deep.equal(rows)
      expect(await files()).to.deep.equal(kept)
    },
    stop: market.stop,
  }
}

async function readAs(as: Trader, urn: string) {
  return (await as.client.call('getDelivery', { params: { urn } })).body
}
