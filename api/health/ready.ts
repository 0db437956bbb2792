import { sql } from 'kysely'
import type { PublicClient } from 'viem'
import { Problem } from '../errors.ts'
import { pendingMigrations } from '../platform/db/migrate.ts'
import type { Db, IndexDb } from '../platform/db/pool.ts'
import type { Services } from '../platform/http/serve/services.ts'

// Anyone may ask for readiness, so the node is asked at most once in this time.
const KEPT_MS = 1_000

interface Look {
  at: number
  alive: Promise<boolean>
}

const looks = new WeakMap<PublicClient, Look>()

const FACILITATOR_ALIVE_SECONDS = 10
// A worker beats every five seconds.
const WORKER_ALIVE_SECONDS = 30
// Ponder's checkpoint is one string of fixed-width decimals; these are the positions of the block's time and number.
const TIME_DIGITS = { from: 1, count: 10 }
const NUMBER_DIGITS = { from: 27, count: 16 }

/**
 * Returns the health of the service. Without the node, the facilitator, a worker or the chain index it is degraded but still
 * serves, because much needs none of them. Throws service/not-ready, or what the database throws, when no request can
 * be served.
 */
export async function readiness(
  { db, index: indexDb, rpc }: Pick<Services, 'db' | 'index' | 'rpc'>,
  migrations: readonly string[],
) {
  const pending = await pendingMigrations(db, migrations)
  if (pending.length > 0) {
    throw new Problem('service/not-ready', { detail: `The database waits for migrations: ${pending.join(', ')}.` })
  }
  const processes = {
    node: { alive: await isNodeAlive(rpc) },
    facilitator: await facilitator(db),
    worker: await worker(db),
    chain_index: indexDb ? await chainIndex(indexDb) : null,
  }
  const { node, chain_index: index } = processes
  const isWhole = node.alive && processes.facilitator.alive && processes.worker.alive && index !== null
  return { status: isWhole ? ('ready' as const) : ('degraded' as const), ...processes }
}

async function facilitator(db: Db) {
  const { rows } = await sql<{ beat_at: Date; alive: boolean }>`
    select beat_at, beat_at > clock_timestamp() - make_interval(secs => ${FACILITATOR_ALIVE_SECONDS}) as alive
    from facilitator.heartbeat`.execute(db)
  return { alive: rows[0]?.alive ?? false, beat_at: rows[0]?.beat_at.toISOString() ?? null }
}

async function worker(db: Db) {
  const { rows } = await sql<{ beat_at: Date; alive: boolean }>`
    select beat_at, beat_at > clock_timestamp() - make_interval(secs => ${WORKER_ALIVE_SECONDS}) as alive
    from market.worker_heartbeat`.execute(db)
  return { alive: rows[0]?.alive ?? false, beat_at: rows[0]?.beat_at.toISOString() ?? null }
}

/** Returns null if the index cannot be read: its views do not exist yet, or its database cannot be reached. */
async function chainIndex(index: IndexDb) {
  const checkpoint = sql<{ block_number: bigint; block_time: Date }>`
    select substr(latest_checkpoint, ${NUMBER_DIGITS.from}::int, ${NUMBER_DIGITS.count}::int)::bigint as block_number,
      to_timestamp(substr(latest_checkpoint, ${TIME_DIGITS.from}::int, ${TIME_DIGITS.count}::int)::bigint) as block_time
    from chain._ponder_checkpoint
    limit 1`
  const row = await checkpoint.execute(index).then(
    ({ rows }) => rows[0],
    () => undefined,
  )
  return row ? { block_number: Number(row.block_number), block_time: row.block_time.toISOString() } : null
}

/** Returns whether the chain's node answers, as of a second ago at most. */
function isNodeAlive(rpc: PublicClient): Promise<boolean> {
  const last = looks.get(rpc)
  const now = performance.now()
  if (last && now - last.at < KEPT_MS) return last.alive
  const alive = rpc.getBlockNumber({ cacheTime: 0 }).then(
    () => true,
    () => false,
  )
  looks.set(rpc, { at: now, alive })
  return alive
}
