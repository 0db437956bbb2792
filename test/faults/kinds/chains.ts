import { numberToHex } from 'viem'
import { openRpc } from '../../../api/payments/chain/nodes.ts'
import { createMarket } from '../../../sdk/market.ts'
import type { Interceptor } from '../../e2e/rpcProxy.ts'
import { forkPoint } from '../../kit/chain/forks.ts'
import { until } from '../../kit/until.ts'
import type { Fault } from '../fault.ts'
import type { FaultMarket } from '../market.ts'

const SLOW_MS = 1_500
const HOUR_SECONDS = 3_600
/** How far the chain goes back: not as deep as a confirmation, and deeper. */
const DEPTHS = { shallow: 1n, deep: 6n } as const

/** What a node does wrong for the processes of one kind. */
function nodeFault(
  name: string,
  lastsMs: number,
  behave: (market: FaultMarket) => Promise<{ interceptor: Interceptor; end?: () => void }>,
): Fault {
  return {
    name: `${name} node`,
    lastsMs,
    inject: async (market, random) => {
      const [victim, proxy] = random.pick([...market.nodes])
      const { interceptor, end } = await behave(market)
      proxy.intercept(interceptor)
      const heal = async () => {
        proxy.intercept(undefined)
        end?.()
      }
      return { victim: `node of ${victim}`, heal }
    },
  }
}

function answer(result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result })
}

const slow = nodeFault('slow', 8_000, async () => ({
  interceptor: async (_call, forward) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    return forward()
  },
}))

const silent = nodeFault('silent', 12_000, async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  return { interceptor: () => promise, end: () => resolve(undefined) }
})

const failing = nodeFault('failing', 6_000, async () => {
  let calls = 0
  return { interceptor: async (_call, forward) => (++calls % 3 === 0 ? undefined : forward()) }
})

/** A replica that fell behind: it knows no later block. */
const behind = nodeFault('late', 8_000, async ({ stack: { chain } }) => {
  const known = numberToHex(await chain.client.getBlockNumber())
  const honest = openRpc(chain.rpcUrl)
  const interceptor: Interceptor = async ({ method, params }, forward) => {
    if (method === 'eth_blockNumber') return answer(known)
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return forward()
    return answer(await honest.request({ method: 'eth_getBlockByNumber', params: [known, false] }))
  }
  return { interceptor }
})

/** It denies what happened: no logs, no receipts. */
const lying = nodeFault('lying', 8_000, async () => ({
  interceptor: async ({ method }, forward) => {
    if (method === 'eth_getLogs') return answer([])
    return method === 'eth_getTransactionReceipt' ? answer(null) : forward()
  },
}))

const reorganisations: Fault[] = Object.entries(DEPTHS).map(([name, depth]) => ({
  name: `reorganisation, ${name}`,
  lastsMs: 1_000,
  inject: async ({ stack: { chain } }) => {
    const goBack = await forkPoint(chain)
    const from = await chain.client.getBlockNumber()
    await until(
      `${depth} blocks were mined`,
      () => chain.client.getBlockNumber(),
      (head) => head >= from + depth,
    )
    const head = await chain.client.getBlockNumber()
    await goBack()
    return { victim: `${head - from} blocks`, heal: async () => {} }
  },
}))

/** The market's own clock is the database's, which moves with the chain's. */
const clock: Fault = {
  name: 'clock +1 h: database and chain',
  lastsMs: 1_000,
  inject: async ({ stack: { baseUrl, credentials } }) => {
    const human = createMarket({ baseUrl, token: credentials.human_token })
    await human.call('advanceSandboxClock', { body: { seconds: HOUR_SECONDS } })
    return { victim: 'both clocks', heal: async () => {} }
  },
}

export const chainFaults: readonly Fault[] = [slow, silent, failing, behind, lying, ...reorganisations, clock]
