import { migrate } from '../api/platform/db/migrate.ts'
import { readMigrateEnvironment } from './env.ts'

/** Migrates the database of DATABASE_URL. */
export async function run(): Promise<undefined> {
  await migrate(readMigrateEnvironment().DATABASE_URL)
  console.log('The database is up to date.')
}
