import type pg from 'pg'
import { requireEmptySearchPath } from '../../../protocol/environment/databaseFaults.ts'
import { type Db, openPool, queryable } from './pool.ts'

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
 * Opens one connection of the database's owner, for a command. Throws Unfit if its search path is not
 * empty.
 */
export async function openOwnerPool(databaseUrl: string, name?: string): Promise<Db> {
  const db = openPool(databaseUrl, { ...(name === undefined ? {} : { name }), max: 1, onError: () => {} })
  try {
    await requireEmptySearchPath(queryable(db))
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}
