import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Hex } from 'viem'

const POLL_MS = 10

interface Seen {
  state: string
  seenMs: number
  threadId: string
  depositTx: Hex
}

/** Tells when orders come to a state, without asking the API: the measured requests are the trades' own. */
export interface OrderWatch {
  until: (orderId: string, state: 'funded' | 'final') => Promise<Seen>
  stop: () => Promise<void>
}

/** Watches the orders table until stopped. */
export function watchOrders(databaseUrl: string): OrderWatch {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const waiting = new Map<string, { state: string; resolve: (seen: Seen) => void }>()
  let watching = true
  const look = async () => {
    const { rows } = await pool.query<{ id: string; state: string; thread_id: string; deposit_tx: Hex }>(
      `select o.id, o.state, o.thread_id, h.deposit_tx from market.orders o
       join market.holds h on h.order_id = o.id where o.id = any($1)`,
      [[...waiting.keys()]],
    )
    for (const row of rows) {
      const wait = waiting.get(row.id)
      if (!wait || wait.state !== row.state) continue
      waiting.delete(row.id)
      wait.resolve({ state: row.state, seenMs: performance.now(), threadId: row.thread_id, depositTx: row.deposit_tx })
    }
  }
  const watched = (async () => {
    while (watching) {
      if (waiting.size > 0) await look()
      await delay(POLL_MS)
    }
  })()
  return {
    until: (orderId, state) => new Promise((resolve) => waiting.set(orderId, { state, resolve })),
    async stop() {
      watching = false
      await watched
      await pool.end()
    },
  }
}
