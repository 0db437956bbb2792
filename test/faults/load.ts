import { setTimeout as delay } from 'node:timers/promises'
import { createMarket } from '../../sdk/market.ts'
import { createParties, MODES, type Mode, type Parties, type Trader } from '../e2e/trading.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { until } from '../kit/until.ts'
import type { FaultMarket } from './market.ts'
import { PATIENCE_MS, type Trade, tradeOnce } from './trade.ts'

const PAIRS = 3
const PAUSE_MS = 250
/** A call that an API does not begin to answer goes to another, as a load balancer does it. */
const SILENCE_MS = 10_000

/** Traders that trade all the time, in both modes, with an Idempotency-Key for each write. */
export interface Load {
  trades: readonly Trade[]
  pairs: readonly Parties[]
  /** The first block that could hold a payment of theirs. */
  fromBlock: bigint
  /** What went wrong with trades since the last call. */
  takeFailures: () => string[]
  begin: () => void
  /**
   * Has every lane finish its trade and begin no other. Resolves when all have. Returns how to have them go
   * on.
   */
  drain: () => Promise<() => void>
  /** Has every lane give up. */
  end: () => Promise<void>
}

/** Creates the traders, who trade from `begin` on. */
export async function startLoad(market: FaultMarket, seed: number): Promise<Load> {
  const { stack } = market
  const ended = new AbortController()
  const send = balancing(market.apiUrls, ended.signal)
  const pairs = await Promise.all(
    Array.from({ length: PAIRS }, async () => {
      const { buyer, seller } = await createParties(stack)
      return { buyer: over(stack, buyer, send), seller: over(stack, seller, send) }
    }),
  )
  const fromBlock = (await stack.chain.client.getBlockNumber()) + 1n
  const trades: Trade[] = []
  const failures: string[] = []
  let gate = Promise.withResolvers<void>()
  let trading = 0
  const once = async (parties: Parties, mode: Mode) => {
    trading++
    const title = `Verse ${seed}-${trades.length + 1}`
    const trade: Trade = { title, mode, parties, acknowledged: new Set(), begunMs: performance.now() }
    trades.push(trade)
    await tradeOnce(stack, trade).catch((error: Error) => failures.push(`${title} (${mode}): ${error.message}`))
    trading--
  }
  const lane = async (parties: Parties, mode: Mode) => {
    while (!ended.signal.aborted) {
      await gate.promise
      if (ended.signal.aborted) return
      await once(parties, mode)
      await delay(PAUSE_MS)
    }
  }
  const lanes = Promise.all(pairs.flatMap((parties) => MODES.map((mode) => lane(parties, mode))))
  const drain = async () => {
    gate = Promise.withResolvers()
    const limits = { limitMs: PATIENCE_MS, pollMs: 100 }
    await until(
      'all trades that were begun are over',
      () => trading,
      (count) => count === 0,
      limits,
    )
    return gate.resolve
  }
  return {
    ...{ trades, pairs, fromBlock, drain },
    begin: () => gate.resolve(),
    takeFailures: () => failures.splice(0),
    end: async () => {
      ended.abort()
      gate.resolve()
      await lanes
    },
  }
}

/**
 * Sends each request to the next API, and gives up one that stays silent. Answers each with 410 once all has
 * ended.
 */
function balancing(urls: readonly string[], ended: AbortSignal): typeof fetch {
  let turn = 0
  return async (input, request) => {
    if (ended.aborted) return new Response(null, { status: 410 })
    const url = new URL(String(input))
    url.host = new URL(urls[turn++ % urls.length] ?? '').host
    const silence = AbortSignal.timeout(SILENCE_MS)
    return fetch(url, { ...request, signal: request?.signal ? AbortSignal.any([request.signal, silence]) : silence })
  }
}

function over({ baseUrl }: Stack, trader: Trader, send: typeof fetch): Trader {
  return { ...trader, client: createMarket({ baseUrl, token: trader.token, fetch: send }) }
}
