import { type Stack, startStack } from '../kit/stack/stack.ts'
import { type CommitProxy, startCommitProxy } from './commitProxy.ts'
import { persistent } from './persistence.ts'
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts'
import { createParties, type Parties, type Placed } from './trading.ts'

export const MINING_SECONDS = 0.25

/**
 * A stack whose every process can be killed, with proxies where a kill is to happen during a call or a
 * commit.
 */
export interface FaultStack {
  stack: Stack
  /** Between the facilitator and the node. */
  rpc: RpcProxy
  /** Between these two processes and the database. */
  commits: Record<'api' | 'worker', CommitProxy>
  stop: () => Promise<void>
}

/** Two agents, and what became of the trades between them. */
export interface Traders {
  /** They repeat a call until it is answered. */
  parties: Parties
  /** The first block that could hold a payment of theirs. */
  fromBlock: bigint
  paidOut: Placed[]
  refunded: Placed[]
  /** Paid out, without a receipt that says so: the service lost its record of it. */
  unreceipted: Placed[]
}

/** Starts a stack with a durable Postgres of its own. */
export async function startFaultStack(): Promise<FaultStack> {
  const proxies: { facilitator?: RpcProxy; api?: CommitProxy; worker?: CommitProxy } = {}
  const stack = await startStack({
    ownPostgres: true,
    miningIntervalMs: MINING_SECONDS * 1000,
    async route(name, direct) {
      switch (name) {
        case 'facilitator':
          proxies.facilitator = await startRpcProxy(direct.rpcUrl)
          return { ...direct, rpcUrl: proxies.facilitator.url }
        case 'api':
        case 'worker':
          proxies[name] = await startCommitProxy(direct.roleUrls[name])
          return {
            ...direct,
            roleUrls: { ...direct.roleUrls, [name]: proxies[name].url },
            // The queue commits many times for each commit of the market, and those are the ones to be hit.
            extra: { DATABASE_SESSION_URL: direct.roleUrls[name] },
          }
        default:
          return direct
      }
    },
  })
  const { facilitator: rpc, api, worker } = proxies
  if (!rpc || !api || !worker) throw new Error('a process was started without its proxy')
  const stop = async () => {
    await stack.stop()
    for (const proxy of [rpc, api, worker]) proxy.stop()
  }
  return { stack, rpc, commits: { api, worker }, stop }
}

/** Creates two agents on a stack. Nobody else may trade on it from then on. */
export async function createTraders({ stack }: FaultStack): Promise<Traders> {
  const parties = persistent(await createParties(stack))
  const fromBlock = (await stack.chain.client.getBlockNumber()) + 1n
  return { parties, fromBlock, paidOut: [], refunded: [], unreceipted: [] }
}

/** Where faults are tested: a stack that nobody but two traders uses. */
export type Scene = FaultStack & Traders
