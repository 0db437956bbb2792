import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { SEARCH_PATH, type SearchPath, searchPathFault } from '../../../protocol/environment/searchPath.ts'
import { type Db, type IndexDb, openPool } from './pool.ts'

/** Throws an Error if names in our statements could resolve to a schema that somebody else created. */
export async function requireEmptySearchPath(db: Db | IndexDb): Promise<void> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(SEARCH_PATH) as CompiledQuery<SearchPath>)
  const fault = searchPathFault(rows)
  if (fault !== undefined) throw new Error(fault)
}

/**
 * Empties the search path of this session and of all later sessions of the database: every name in our
 * statements has its schema, and PostgreSQL's own names need none. A copy of a database does not have the
 * setting. `client` is the owner's.
 */
export async function emptySearchPath(client: pg.Client): Promise<void> {
  await client.query(`set search_path = ''`)
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  for (const { name } of rows)
    await client.query(`alter database ${client.escapeIdentifier(name)} set search_path = ''`)
}

/**
 * Opens one connection of the database's owner, for a command. Throws an Error if its search path is not
 * empty.
 */
export async function openOwnerPool(databaseUrl: string, name?: string): Promise<Db> {
  const db = openPool(databaseUrl, { ...(name === undefined ? {} : { name }), max: 1, onError: () => {} })
  try {
    await requireEmptySearchPath(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}
