import { createMarket, type Market } from '../../../sdk/market.ts'
import { readPersonEnvironment } from '../../machine/env.ts'

/** Where a person's command works: the client of their account, and the sandbox's node where that is the market. */
export interface PersonClient {
  client: Market
  baseUrl: string
  /** The sandbox's node. Undefined where the market is no sandbox of this machine. */
  rpcUrl: string | undefined
}

/**
 * Returns a client of MARKET_TOKEN at MARKET_URL, by default of the running sandbox's human there. `agent` names the agent
 * that a human acts as. Throws an Error where there is neither.
 */
export async function openClient({ agent }: { agent?: string | undefined } = {}): Promise<PersonClient> {
  const { baseUrl, token, rpcUrl } = await readPersonEnvironment()
  return { client: createMarket({ baseUrl, token, ...(agent ? { agent } : {}) }), baseUrl, rpcUrl }
}

/** Returns the service's time of an answer, by which its deadlines are judged; this machine's where it names none. */
export function timeOf(headers: Headers): number {
  return Date.parse(headers.get('date') ?? '') || Date.now()
}
