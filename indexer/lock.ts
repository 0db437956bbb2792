import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { probePooling, sessionFault } from '../protocol/environment/pooler.ts'
import { schemaPrefix } from './schemaName.ts'

const RETRY_MS = 500

/** The right to write a schema. It ends with its database session, so no ended process can hold it. */
export interface SchemaLock {
  /** Resolves when the session, and with it the right, ends. */
  lost: Promise<void>
}

/**
 * Waits until no other process writes `schema`, then takes it over. Ponder's own lock outlives a killed process by 25
 * seconds; ours ends with the process, so Ponder's is then released here.
 */
export async function lockSchema(databaseUrl: string, schema: string, onWait: () => void): Promise<SchemaLock> {
  await requireSession(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'indexer', keepAlive: true })
  const { promise: lost, resolve } = Promise.withResolvers<void>()
  client.on('error', () => resolve())
  client.on('end', () => resolve())
  await client.connect()
  for (let attempt = 0; !(await tryLock(client, schema)); attempt++) {
    if (attempt === 0) onWait()
    await delay(RETRY_MS)
  }
  await openPonderLock(client, schema)
  return { lost }
}

/** Throws an Error if the connection goes through a transaction pooler: other clients would share the lock. */
async function requireSession(connectionString: string): Promise<void> {
  const pooling = await probePooling(async () => {
    const client = new pg.Client({ connectionString, application_name: 'indexer' })
    // A connection that is lost fails its query.
    client.on('error', () => {})
    await client.connect()
    return client
  })
  const fault = sessionFault(pooling, { variable: 'INDEX_DATABASE_URL', needs: 'an indexer needs' })
  if (fault !== undefined) throw new Error(fault)
}

/** Throws an Error when this database holds the index of another chain with the same id: their rows would mix. */
export async function requireSameChain(databaseUrl: string, chainId: number, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'indexer' })
  await client.connect()
  try {
    const prefix = schemaPrefix(chainId)
    const { rows } = await client.query<{ nspname: string }>(
      'select nspname from pg_namespace where starts_with(nspname, $1)',
      [prefix],
    )
    const genesis = (name: string) => name.slice(prefix.length).split('_')[0]
    const other = rows.find(({ nspname }) => genesis(nspname) !== genesis(schema))
    if (other) {
      throw new Error(
        `this database indexed another chain with id ${chainId} (schema ${other.nspname}): a new chain needs a new database`,
      )
    }
  } finally {
    await client.end()
  }
}

async function tryLock(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
    [schema],
  )
  return rows[0]?.locked === true
}

async function openPonderLock(client: pg.Client, schema: string): Promise<void> {
  const meta = `${pg.escapeIdentifier(schema)}._ponder_meta`
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [meta])
  if (!rows[0]?.exists) return
  await client.query(`update ${meta} set value = jsonb_set(value, '{is_locked}', '0') where key = 'app'`)
}
