import type pg from 'pg'
import {
  HISTORY_FOR_FACILITATOR,
  type History,
  listMigrations,
  misfitOf,
  neverMigrated,
} from '../../../protocol/environment/migrations.ts'
import { VERSION } from '../../../protocol/environment/version.ts'

const [UNDEFINED_FUNCTION, FORBIDDEN] = ['42883', '42501']
const PROGRAM = {
  version: VERSION,
  migrations: listMigrations(new URL('../../../', import.meta.url), 'api/migrations/'),
}

/**
 * Returns why this version must not work on a database, and what to do; undefined if it may. The function and
 * the right to call it come with this version's `migrate`. Throws any other error of the database.
 */
export async function schemaMisfit(client: Pick<pg.Client, 'query'>): Promise<string | undefined> {
  try {
    const { rows } = await client.query<History>(HISTORY_FOR_FACILITATOR)
    return rows[0] && misfitOf(PROGRAM, rows[0])
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === UNDEFINED_FUNCTION || code === FORBIDDEN) return neverMigrated(PROGRAM)
    throw error
  }
}
