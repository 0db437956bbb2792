import { Gauge, Registry } from '@prometheus-io/client'
import { sql } from 'kysely'
import type { Db } from '../platform/db/pool.ts'

interface LogState {
  last_place: string
  unplaced: number
  /** Null while every act has its place. */
  unplaced_seconds: number | null
  readers: { name: string; cursor: string }[]
}

/**
 * Returns how far each job that follows the event log is behind its end, and what was committed and has no
 * place in the log yet, as Prometheus reads it. Throws what the database throws.
 */
export async function readLogMetrics(db: Db): Promise<string> {
  const registry = new Registry()
  const { last_place, unplaced, unplaced_seconds, readers } = await readState(db)
  const lag = new Gauge({
    name: 'market_reader_lag_events',
    help: 'Places of the event log that a job which follows it has not read yet.',
    labelNames: ['reader'],
    registers: [registry],
  })
  for (const { name, cursor } of readers) lag.set({ reader: name }, lagOf(last_place, cursor))
  new Gauge({
    name: 'market_events_unplaced',
    help: 'Committed acts that have no place in the event log yet: no reader sees them.',
    registers: [registry],
  }).set(unplaced)
  new Gauge({
    name: 'market_events_unplaced_seconds',
    help: 'How long the oldest of them waits for its place.',
    registers: [registry],
  }).set(unplaced_seconds ?? 0)
  return registry.metrics()
}

// The cursor is an epoch and a place (api/platform/events/cursor.ts). Places go on from one epoch to the
// next.
function lagOf(lastPlace: string, cursor: string): number {
  const place = Number(Buffer.from(cursor, 'base64url').toString().split('.')[1] ?? 0)
  return Math.max(0, Number(lastPlace) - place)
}

async function readState(db: Db): Promise<LogState> {
  const { rows } = await sql<LogState>`
    select log.last_place::text, waiting.count::int as unplaced,
      (select extract(epoch from market.now() - event.created_at)::float8
       from (select min(id) as id from market.unplaced_acts) oldest
       join market.events event on event.act = oldest.id order by event.id limit 1) as unplaced_seconds,
      coalesce((select jsonb_agg(jsonb_build_object('name', name, 'cursor', cursor)) from market.event_consumers), '[]') as readers
    from market.event_log log, (select count(*) from market.unplaced_acts) waiting`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database has no event log')
  return row
}
