import { migrate } from '../api/db/migrate.ts'
import { readMigrateEnvironment } from './env.ts'

/** Brings the database of DATABASE_URL up to date. */
export async function run(): Promise<undefined> {
  await migrate(readMigrateEnvironment().DATABASE_URL)
  console.log('The database is up to date.')
}
