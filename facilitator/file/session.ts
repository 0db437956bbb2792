import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { marketFaults, refuse, type Strictness } from '../../protocol/environment/databaseFaults.ts'
import { listMigrations } from '../../protocol/environment/migrations.ts'
import { requireNamedStatements } from '../../protocol/environment/pooler.ts'
import { VERSION } from '../../protocol/environment/version.ts'
import { inSpan } from '../../protocol/telemetry/trace.ts'
import { createExclusive } from '../context/exclusive.ts'
import { type Lease, LeaseLost, type LeaseOptions, leaseValues, takeLease, underLease } from './lease.ts'

const PROGRAM = {
  version: VERSION,
  migrations: listMigrations(new URL('../../', import.meta.url), 'api/migrations/'),
}
const LEASE_RETRY_MS = 500
/** A connection without an answer for this long counts as lost. */
const QUERY_TIMEOUT_MS = 10_000

// Postgres: this transaction is read-only; the server is not in the state for this.
const ON_STANDBY = new Set(['25006', '55000'])

/** The market's database, and whether statements may be named there. */
export interface DatabasePlace {
  url: string
  pooler: 'none' | 'transaction'
}

/**
 * The database session of a facilitator that holds the lease of its keys. Every write compares the fencing
 * numbers of the lease, so only its holder writes rows. A facilitator that lost the lease can record no
 * transaction and therefore broadcasts none.
 */
export interface Session {
  /**
   * A named statement is planned once per session: planning takes Postgres longer than running it. It must
   * name its columns, since Postgres refuses a `*` that it planned before a migration. Behind a pooler in
   * transaction mode no statement is named.
   */
  query: <Row extends pg.QueryResultRow>(
    text: string,
    values?: unknown[],
    name?: string,
  ) => Promise<pg.QueryResult<Row>>
  /**
   * Runs an INSERT that has the condition `(select is_held from lease)`, and extends the lease if a third of
   * it is over. Returns how many rows it wrote. Throws LeaseLost, having written nothing, if another
   * facilitator has taken over.
   */
  write: (insert: string, values: unknown[], name: string) => Promise<number>
  /** Extends the lease, if a third of it is over. Throws LeaseLost if another facilitator has taken over. */
  renew: () => Promise<void>
  lease: Lease
  /** Aborted when the session or its lease has ended. */
  lost: AbortSignal
  /** Ends the lease and the session. */
  close: () => Promise<void>
}

/** How to open a session. */
export interface SessionEvents extends Strictness {
  /** Called if another facilitator holds the lease. */
  onWait: () => void
}

/**
 * Connects, then waits for the lease of the keys until `stop` aborts. Throws Unfit for a database that a
 * process with keys must not use, and any error of pg.
 */
export async function openSession(
  database: DatabasePlace,
  keys: LeaseOptions,
  stop: AbortSignal,
  events: SessionEvents,
): Promise<Session> {
  const client = clientOf(database)
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  if (database.pooler === 'none') await requireNamedStatements(database.url)
  await client.connect()
  try {
    const lease = await awaitLease(client, keys, stop, events)
    return sessionUnder(lease, client, lost, database.pooler)
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

function clientOf({ url: connectionString }: DatabasePlace): pg.Client {
  const timeouts = { connectionTimeoutMillis: QUERY_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS }
  return new pg.Client({ connectionString, application_name: `facilitator ${VERSION}`, keepAlive: true, ...timeouts })
}

async function awaitLease(
  client: pg.Client,
  keys: LeaseOptions,
  stop: AbortSignal,
  { onWait, ...strictness }: SessionEvents,
): Promise<Lease> {
  const given = { program: PROGRAM, isSandbox: strictness.isSandbox }
  // This must precede every statement that resolves names.
  refuse(await marketFaults(client, 'facilitator', given), strictness)
  for (let attempt = 0; ; attempt++) {
    const lease = await takeLease(client, keys)
    if (lease) return lease
    if (attempt === 0) onWait()
    await delay(LEASE_RETRY_MS, undefined, { signal: stop })
  }
}

function sessionUnder(
  lease: Lease,
  client: pg.Client,
  lost: AbortController,
  pooler: DatabasePlace['pooler'],
): Session {
  const exclusive = createExclusive()
  const query: Session['query'] = async (text, values = [], name = '') => {
    try {
      const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name }
      return await inSpan(`postgresql ${name}`, { kind: 'client', attributes, onlyInTrace: true }, () =>
        exclusive('session', () => client.query({ text, values, name: pooler === 'none' ? name : '' })),
      )
    } catch (error) {
      // A missing answer does not mean no effect: only a new session can read what was written.
      if (!(error instanceof pg.DatabaseError) || ON_STANDBY.has(error.code ?? '')) lost.abort()
      throw error
    }
  }
  const run = async (insert: string | undefined, values: unknown[], name: string, lasts?: number) => {
    const text = underLease(insert, values.length)
    const { rows } = await query<Written>(text, [...values, ...leaseValues(lease, lasts)], name)
    if (rows[0]?.is_held) return rows[0].written
    lost.abort()
    throw new LeaseLost('another facilitator has taken over, or this is another copy of the database')
  }
  return {
    query,
    write: run,
    renew: async () => void (await run(undefined, [], 'renew the lease')),
    lease,
    lost: lost.signal,
    async close() {
      if (!lost.signal.aborted) await run(undefined, [], 'renew the lease', 0).catch(() => {})
      await client.end().catch(() => {})
    },
  }
}

/** The row of a statement under a lease. */
interface Written {
  is_held: boolean
  written: number
}
