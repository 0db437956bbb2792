import { prepareIndexDatabase } from '../../api/platform/db/indexDatabase.ts'
import { migrate } from '../../api/platform/db/migrate.ts'
import { schema } from '../../api/schema.ts'
import { readMigrateEnvironment } from '../machine/env.ts'

/** Migrates the database of DATABASE_URL, and prepares that of INDEX_DATABASE_URL. */
export async function run(): Promise<undefined> {
  const { DATABASE_URL, INDEX_DATABASE_URL } = readMigrateEnvironment()
  await migrate(DATABASE_URL, schema)
  await prepareIndexDatabase(INDEX_DATABASE_URL)
  console.log('The databases are up to date.')
}
