import { prepareIndexDatabase } from '../../api/platform/db/indexDatabase.ts'
import { migrate } from '../../api/platform/db/migrate.ts'
import { requireSession, requireSessionUrl } from '../../api/platform/db/pooling.ts'
import { schema } from '../../api/schema.ts'
import { readMigrateEnvironment } from '../machine/env.ts'

/** Migrates the database of DATABASE_URL, and prepares that of INDEX_DATABASE_URL. */
export async function run(): Promise<undefined> {
  const env = readMigrateEnvironment()
  const databaseUrl = await requireSessionUrl(env, 'a migration needs')
  await requireSession(env.INDEX_DATABASE_URL, { variable: 'INDEX_DATABASE_URL', needs: 'a migration needs' })
  await migrate(databaseUrl, schema)
  await prepareIndexDatabase(env.INDEX_DATABASE_URL)
  console.log('The databases are up to date.')
}
