import pg from 'pg'
import { connectPrivileges, ensureRoles, type SettingOptions } from './roles.ts'
import { emptySearchPath } from './searchPath.ts'

/** The index's readers may read all tables and views that the indexer creates. */
const READERS = [
  'alter default privileges for role market_indexer grant usage on schemas to market_index_reader',
  'alter default privileges for role market_indexer grant select on tables to market_index_reader',
]

/**
 * Prepares the database of the index: its roles, who may connect to it, and who may read the tables and views
 * that the indexer creates; resets the stored settings of its roles. `indexUrl` is the owner's. It can be
 * repeated. Throws MissingRoles, changing nothing, if the server lacks a role that the owner may not create,
 * or a role has settings that the owner may not reset.
 */
export async function prepareIndexDatabase(indexUrl: string, settings: SettingOptions = {}): Promise<void> {
  const client = new pg.Client({ connectionString: indexUrl, application_name: 'market-migrate' })
  await client.connect()
  try {
    // First, because an attacker who controls the indexer may create functions there, and the owner must not
    // run them.
    await emptySearchPath(client)
    await ensureRoles(client, 'index', settings)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    for (const statement of [...connectPrivileges('index', rows[0]?.name ?? ''), ...READERS])
      await client.query(statement)
  } finally {
    await client.end()
  }
}
