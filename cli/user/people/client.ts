import { createMarket, type Market } from '../../../sdk/market.ts'
import { readPersonEnvironment } from '../../machine/env.ts'
import { sayWaits } from '../../terminal/waits.ts'

/** The client of a person's account, and the sandbox's node if the market is a sandbox. */
export interface PersonClient {
  client: Market
  baseUrl: string
  /** The sandbox's node. Undefined if the market is not a sandbox on this machine. */
  rpcUrl: string | undefined
}

/**
 * Returns a client of MARKET_TOKEN at MARKET_URL, by default of the running sandbox's human there. `agent`
 * names the agent that a human acts as. Throws an Error where there is neither.
 */
export async function openClient({ agent }: { agent?: string | undefined } = {}): Promise<PersonClient> {
  const { baseUrl, token, rpcUrl } = await readPersonEnvironment()
  return { client: createMarket({ baseUrl, token, onWait: sayWaits(), ...(agent ? { agent } : {}) }), baseUrl, rpcUrl }
}

/** Returns the URN of an order that is named by it, or by the id in it. */
export function orderUrnOf(named: string): string {
  return named.includes(':') ? named : `market:order:${named}`
}

/**
 * Returns the service's time in an answer, to compare with its deadlines, or this machine's time if the
 * answer has none.
 */
export function timeOf(headers: Headers): number {
  return Date.parse(headers.get('date') ?? '') || Date.now()
}
