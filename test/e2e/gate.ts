import type { RpcProxy } from './rpcProxy.ts'

/**
 * A gate on the way of transactions to the node. While it is closed, whoever broadcasts waits for an answer.
 */
export interface BroadcastGate {
  close: () => void
  open: () => void
  /** How many broadcasts wait before it. */
  waiting: () => number
}

/**
 * Puts an open gate into a proxy. A broadcast whose sender dies before the gate opens never reaches the node.
 */
export function broadcastGate(proxy: RpcProxy): BroadcastGate {
  let waiting = 0
  let gate: PromiseWithResolvers<void> | undefined
  return {
    close: () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      gate = { promise, resolve, reject }
      proxy.intercept(async (call, forward) => {
        if (call.method !== 'eth_sendRawTransaction') return forward()
        waiting++
        await promise
        waiting--
        return call.isAbandoned() ? undefined : forward()
      })
    },
    open: () => {
      proxy.intercept(undefined)
      gate?.resolve()
    },
    waiting: () => waiting,
  }
}
