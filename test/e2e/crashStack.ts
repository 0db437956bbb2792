import { type Stack, startStack } from '../stack/stack.ts'
import { type CommitProxy, startCommitProxy } from './commitProxy.ts'
import { persistent } from './persistence.ts'
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts'
import { createParties, type Parties } from './trading.ts'

export const MINING_SECONDS = 0.25

/** A stack whose every process can be killed, with proxies where a kill is to meet a process in the act. */
export interface CrashStack {
  stack: Stack
  /** Between the facilitator and the node. */
  rpc: RpcProxy
  /** Between these two and the database, where they were asked for. */
  commits: Partial<Record<'api' | 'worker', CommitProxy>>
  /** Two agents who do not give up. */
  parties: Parties
  stop: () => Promise<void>
}

/** Starts a stack with a durable Postgres of its own, and its two traders. */
export async function startCrashStack({ atCommits = false } = {}): Promise<CrashStack> {
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
          if (!atCommits) return direct
          proxies[name] = await startCommitProxy(direct.databaseUrl)
          return { ...direct, databaseUrl: proxies[name].url }
        default:
          return direct
      }
    },
  })
  const stop = async () => {
    await stack.stop()
    for (const proxy of Object.values(proxies)) proxy.stop()
  }
  const { facilitator: rpc, ...commits } = proxies
  if (!rpc) throw new Error('the facilitator was started without its proxy')
  return { stack, rpc, commits, parties: persistent(await createParties(stack)), stop }
}
