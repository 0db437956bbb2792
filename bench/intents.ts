import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const POLL_MS = 10

/** Tells when the facilitator has ended intents, with one query for all of them. */
export interface OutcomeWatch {
  /** Resolves when the intent is confirmed. Throws when it ended otherwise. */
  untilConfirmed: (intentId: string) => Promise<void>
  stop: () => Promise<void>
}

/** Watches the outcomes table until stopped. */
export function watchOutcomes(databaseUrl: string): OutcomeWatch {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  let watching = true
  const look = async () => {
    const { rows } = await pool.query<{ intent_id: string; status: string; reason: string | null }>(
      'select intent_id, status, reason from facilitator.outcomes where intent_id = any($1)',
      [[...waiting.keys()]],
    )
    for (const { intent_id, status, reason } of rows) {
      const wait = waiting.get(intent_id)
      waiting.delete(intent_id)
      if (status === 'confirmed') wait?.resolve()
      else wait?.reject(new Error(`intent ${intent_id} ended as ${status}: ${reason}`))
    }
  }
  const watched = (async () => {
    while (watching) {
      if (waiting.size > 0) await look()
      await delay(POLL_MS)
    }
  })()
  return {
    untilConfirmed: (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject })),
    async stop() {
      watching = false
      await watched
      await pool.end()
    },
  }
}
