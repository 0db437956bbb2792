import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { HeadWatch } from './heads.ts'
import { type BenchRow, figure, judged, percentile } from './rows.ts'

// docs/reconciliation.md: what is published is to be this near to the newest confirmed block.
const GOAL_MS = 5_000
const POLL_MS = 100
const PATIENCE_MS = 60_000

/**
 * For each block of a run, how long after it was confirmed the ledger had been compared with it, or with one
 * after it. Waits for the last of them; throws where it does not come.
 */
export async function reconciledRows(
  databaseUrl: string,
  heads: HeadWatch,
  { from, to, confirmations }: { from: bigint; to: bigint; confirmations: bigint },
): Promise<BenchRow[]> {
  const looks = await looksThrough(databaseUrl, to)
  const lags: number[] = []
  for (let block = from; block <= to; block++) {
    const look = looks.find(({ blockNumber }) => blockNumber >= block)
    if (look) lags.push(look.atMs - performance.timeOrigin - heads.reachedMs(block + confirmations))
  }
  const p99 = percentile(lags, 0.99)
  return [
    figure('confirmed→reconciled p50', percentile(lags, 0.5), 'ms'),
    judged(figure('confirmed→reconciled p99', p99, 'ms'), `≤ ${GOAL_MS.toLocaleString('en')}`, p99 <= GOAL_MS),
  ]
}

/** All looks, once one of them is of the last block. */
async function looksThrough(databaseUrl: string, last: bigint) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const untilMs = performance.now() + PATIENCE_MS; performance.now() < untilMs; await delay(POLL_MS)) {
      const looks = await looksOf(client)
      if (looks.some(({ blockNumber }) => blockNumber >= last)) return looks
    }
  } finally {
    await client.end()
  }
  throw new Error(`block ${last} was not reconciled`)
}

async function looksOf(client: pg.Client) {
  const { rows } = await client.query<{ block: string; at: string }>(
    `select block_number::text as block, extract(epoch from checked_at) * 1000 as at
     from market.reconciliations order by id`,
  )
  return rows.map(({ block, at }) => ({ blockNumber: BigInt(block), atMs: Number(at) }))
}
