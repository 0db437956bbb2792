import { sql } from 'kysely'
import { BlockNotFoundError, type PublicClient } from 'viem'
import { misfitOf, readHistory } from '../../protocol/environment/migrations.ts'
import { Problem } from '../errors.ts'
import { isOutage } from '../faults.ts'
import type { Schema } from '../platform/db/migrations.ts'
import { type Db, type IndexDb, queryable } from '../platform/db/pool.ts'
import { httpProblems } from '../platform/http/serve/problems.ts'
import type { Services } from '../platform/http/serve/services.ts'
import type { Windows } from '../platform/http/serve/windows.ts'

/** How long a request for readiness waits for a part of the service. */
const PATIENCE_MS = 1_300
// Anyone may ask for readiness, so the node is asked at most once in this time.
const NODE_KEPT_MS = 1_000
// The second question to the node: both together have two seconds.
const BLOCK_PATIENCE_MS = 400
const FACILITATOR_ALIVE_SECONDS = 10
// A worker beats every five seconds.
const WORKER_ALIVE_SECONDS = 30
/**
 * The index takes in a block within seconds. A block that it lacks for longer is a sign that it has stopped.
 */
const INDEX_FOLLOWS_SECONDS = 30
// Ponder's checkpoint is one string of fixed-width decimals; these are the positions of the block's time and
// number.
const TIME_DIGITS = { from: 1, count: 10 }
const NUMBER_DIGITS = { from: 27, count: 16 }

/** A part of the service that is absent, hangs or has stopped, and what is known about it. */
export interface AilingPart {
  part: 'node' | 'facilitator' | 'worker' | 'chain_index' | 'redis'
  detail: string
}

const lookAtMarket = openLook(readMarket)
const lookAtIndex = openLook(readCheckpoint)
const lookAtHead = openLook((rpc: PublicClient) => rpc.getBlockNumber({ cacheTime: 0 }), { keptMs: NODE_KEPT_MS })
const lookAtBlock = openLook(readBlockTime, { keptMs: NODE_KEPT_MS, patienceMs: BLOCK_PATIENCE_MS })
const lookAtWindows = openLook((windows: Windows) => windows.isShared())

/**
 * Returns the health of the service, within two seconds whatever hangs. Without the node, the facilitator, a
 * worker or the chain index it is degraded but still serves, because much needs none of them. Throws
 * service/unavailable if the database does not answer, and service/not-ready while it waits for migrations,
 * or is too new.
 */
export async function readiness(
  { db, index: indexDb, rpc, windows }: Pick<Services, 'db' | 'index' | 'rpc' | 'windows'>,
  schema: Schema,
) {
  const [market, head, checkpoint, isCountedTogether] = await Promise.all([
    lookAtMarket(db, schema).catch(refuseWithoutDatabase),
    orNothing(lookAtHead(rpc)),
    indexDb && orNothing(lookAtIndex(indexDb)),
    windows ? lookAtWindows(windows).catch(() => false) : true,
  ])
  if (market.misfit !== undefined) throw new Problem(httpProblems.notReady, { detail: market.misfit })
  const index = checkpoint && (await indexOf(checkpoint, { rpc, head, now: market.now }))
  const { facilitator, worker } = market
  const ailing = [
    head === undefined && ailingPart('node', "The chain's node does not answer."),
    !facilitator.alive && ailingPart('facilitator', beatText('facilitator', facilitator)),
    !worker.alive && ailingPart('worker', beatText('worker', worker)),
    !index && ailingPart('chain_index', 'The index of the chain has no block, or its database does not answer.'),
    index && index.behind_seconds > INDEX_FOLLOWS_SECONDS && ailingPart('chain_index', stalledText(index)),
    !isCountedTogether && ailingPart('redis', 'Redis does not answer: each api counts requests by itself.'),
  ].filter((part) => part !== false && part !== undefined)
  return {
    status: ailing.length === 0 ? ('ready' as const) : ('degraded' as const),
    ailing,
    node: { alive: head !== undefined },
    facilitator,
    worker,
    chain_index: index ?? null,
  }
}

function ailingPart(part: AilingPart['part'], detail: string): AilingPart {
  return { part, detail }
}

interface Beat {
  alive: boolean
  beat_at: string | null
}

function beatText(name: string, { beat_at: beatAt }: Beat): string {
  return beatAt === null ? `No ${name} has ever reported.` : `The ${name} last reported at ${beatAt}.`
}

function stalledText({
  block_number: number,
  behind_seconds: seconds,
}: {
  block_number: number
  behind_seconds: number
}) {
  return `The index of the chain stands at block ${number}: it has lacked the next one for ${seconds} seconds.`
}

function refuseWithoutDatabase(error: unknown): never {
  if (!(error instanceof NoAnswer) && !isOutage(error)) throw error
  throw new Problem(httpProblems.unavailable, { detail: 'The database does not answer.' })
}

function orNothing<Seen>(look: Promise<Seen>): Promise<Seen | undefined> {
  return look.catch(() => undefined)
}

/**
 * Reads whether the program fits the database and, if it does, the signs of life of the facilitator and the
 * workers.
 */
async function readMarket(db: Db, schema: Schema) {
  const nobody: Beat = { alive: false, beat_at: null }
  const misfit = misfitOf(schema, await readHistory(queryable(db)))
  if (misfit !== undefined) return { misfit, now: new Date(), facilitator: nobody, worker: nobody }
  const { rows } = await sql<{ name: 'facilitator' | 'worker'; beat_at: Date | null; alive: boolean; now: Date }>`
    select name, beat_at, coalesce(beat_at > clock_timestamp() - make_interval(secs => seconds), false) as alive, market.now() as now
    from (values
      ('facilitator', (select beat_at from facilitator.heartbeat), ${FACILITATOR_ALIVE_SECONDS}::int),
      ('worker', (select beat_at from market.worker_heartbeat), ${WORKER_ALIVE_SECONDS}::int)
    ) as beats (name, beat_at, seconds)`.execute(db)
  const beatOf = (which: string): Beat => {
    const beat = rows.find(({ name }) => name === which)
    return { alive: beat?.alive ?? false, beat_at: beat?.beat_at?.toISOString() ?? null }
  }
  return { misfit, now: rows[0]?.now ?? new Date(), facilitator: beatOf('facilitator'), worker: beatOf('worker') }
}

interface Checkpoint {
  block_number: bigint
  block_time: Date
}

/** Returns undefined while the index has no block. */
async function readCheckpoint(index: IndexDb): Promise<Checkpoint | undefined> {
  const { rows } = await sql<Checkpoint>`
    select substr(latest_checkpoint, ${NUMBER_DIGITS.from}::int, ${NUMBER_DIGITS.count}::int)::bigint as block_number,
      to_timestamp(substr(latest_checkpoint, ${TIME_DIGITS.from}::int, ${TIME_DIGITS.count}::int)::bigint) as block_time
    from chain._ponder_checkpoint
    limit 1`.execute(index)
  return rows[0]
}

/**
 * Returns the place of the index and for how long it has lacked the next block: 0 if there is none, or the
 * node does not say.
 */
async function indexOf(
  { block_number: number, block_time: time }: Checkpoint,
  { rpc, head, now }: { rpc: PublicClient; head: bigint | undefined; now: Date },
) {
  const isBehind = head !== undefined && head > number
  const next = isBehind ? await orNothing(lookAtBlock(rpc, number + 1n)) : undefined
  const behindMs = next === undefined ? 0 : Math.max(0, now.getTime() - next.getTime())
  return {
    block_number: Number(number),
    block_time: time.toISOString(),
    behind_seconds: Math.floor(behindMs / 1_000),
  }
}

/** Returns undefined if the chain has no such block. */
async function readBlockTime(rpc: PublicClient, blockNumber: bigint): Promise<Date | undefined> {
  try {
    return new Date(Number((await rpc.getBlock({ blockNumber })).timestamp) * 1_000)
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}

/** A part of the service has not answered in time. */
class NoAnswer extends Error {}

/**
 * Returns a look at a part of the service that throws NoAnswer when the part does not answer in time. Anyone
 * may look, so what was seen is kept for `keptMs`, and a part that hangs is asked once: whoever looks
 * meanwhile waits for the same answer.
 */
function openLook<Part extends object, Seen, Details extends unknown[] = []>(
  see: (part: Part, ...details: Details) => Promise<Seen>,
  { keptMs = 0, patienceMs = PATIENCE_MS }: { keptMs?: number; patienceMs?: number } = {},
): (part: Part, ...details: Details) => Promise<Seen> {
  const last = new WeakMap<Part, { seen: Promise<Seen>; endedMs: number | undefined }>()
  return (part, ...details) => {
    const known = last.get(part)
    const isCurrent = known && (known.endedMs === undefined || performance.now() - known.endedMs < keptMs)
    return inTime(isCurrent ? known.seen : begin(part, details), patienceMs)
  }

  function begin(part: Part, details: Details): Promise<Seen> {
    const look: { seen: Promise<Seen>; endedMs: number | undefined } = {
      seen: see(part, ...details),
      endedMs: undefined,
    }
    const end = () => {
      look.endedMs = performance.now()
    }
    look.seen.then(end, end)
    last.set(part, look)
    return look.seen
  }
}

async function inTime<Seen>(seen: Promise<Seen>, patienceMs: number): Promise<Seen> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NoAnswer('it does not answer')), patienceMs)
  try {
    return await Promise.race([seen, late])
  } finally {
    clearTimeout(timer)
  }
}
