import { numberToHex } from 'viem'
import { openRpc } from '../../../api/payments/chain/nodes.ts'
import type { JobServices } from '../../../api/platform/jobs/services.ts'
import { type RpcProxy, startRpcProxy } from '../../e2e/rpcProxy.ts'
import type { TestChain } from './node.ts'

/** A node that can be made slow, fail, stand still or lie. It starts out honest. */
export interface Liar {
  rpcUrl: string
  client: JobServices['rpc']
  /** Whoever asks is told one text wherever the truth has another. */
  swap: (truth: string, lie: string) => void
  /** It knows nothing that comes after this moment. */
  standStill: () => Promise<void>
  /** Every so many calls it does not answer. */
  failEvery: (calls: number) => void
  beSlow: (delayMs: number) => void
  /** What it answers to one method is changed. */
  twist: (method: string, change: (result: unknown) => unknown) => void
  /** It answers this to whatever it is asked. */
  answerAlways: (text: string) => void
  /** It finds no logs. */
  hideLogs: () => void
  /** It keeps every second log back, whichever way it is asked. */
  halveLogs: () => void
  beHonest: () => void
  stop: () => void
}

/** Puts something between a node and whoever asks it. */
export async function startLiar(chain: TestChain): Promise<Liar> {
  const proxy: RpcProxy = await startRpcProxy(chain.rpcUrl)
  const [client, honest] = [openRpc(proxy.url), openRpc(chain.rpcUrl)]
  return {
    rpcUrl: proxy.url,
    client,
    swap: (truth, lie) => proxy.intercept(async (_call, forward) => (await forward()).replaceAll(truth, lie)),
    standStill: async () => {
      const head = await chain.client.getBlockNumber()
      const known = numberToHex(head)
      proxy.intercept(async ({ method, params }, forward) => {
        if (method === 'eth_blockNumber') return answer(known)
        const isLatest = method === 'eth_getBlockByNumber' && params[0] === 'latest'
        if (!isLatest) return forward()
        return answer(await honest.request({ method: 'eth_getBlockByNumber', params: [known, false] }))
      })
    },
    failEvery: (calls) => {
      let count = 0
      proxy.intercept(async (_call, forward) => (++count % calls === 0 ? undefined : forward()))
    },
    beSlow: (delayMs) =>
      proxy.intercept(async (_call, forward) => {
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        return forward()
      }),
    twist: (twisted, change) =>
      proxy.intercept(async ({ method }, forward) => {
        const told = await forward()
        return method === twisted ? answer(change(JSON.parse(told).result)) : told
      }),
    answerAlways: (text) => proxy.intercept(async () => text),
    hideLogs: () => proxy.intercept(async ({ method }, forward) => (method === 'eth_getLogs' ? answer([]) : forward())),
    halveLogs: () =>
      proxy.intercept(async ({ method }, forward) => {
        const told = await forward()
        if (method === 'eth_getLogs') return answer(half(JSON.parse(told).result))
        if (method === 'eth_getTransactionReceipt') return answer(halved(JSON.parse(told).result))
        if (method === 'eth_getBlockReceipts') return answer(JSON.parse(told).result?.map(halved))
        return told
      }),
    beHonest: () => proxy.intercept(undefined),
    stop: proxy.stop,
  }
}

function half(logs: readonly unknown[]): unknown[] {
  return logs.filter((_, place) => place % 2 === 0)
}

function halved(receipt: { logs: unknown[] } | null) {
  return receipt && { ...receipt, logs: half(receipt.logs) }
}

function answer(result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result })
}
