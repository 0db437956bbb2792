import pg from 'pg'
import { migrate } from '../../../api/platform/db/migrate.ts'
import { schema } from '../../../api/schema.ts'
import { roleUrls } from '../../../cli/stack/postgres/roleLogins.ts'
import { openWorld, type World } from '../api/payments/escrow/world.ts'
import { serverUrl, withDatabase } from '../stack/server.ts'
import { readRecorded } from './recorded.ts'

/**
 * Makes the database that a release recorded, with the schema of that release, and brings it to the schema of
 * this version.
 */
export async function restoreRecord(text: string, name: string): Promise<World> {
  const recorded = readRecorded(text)
  const admin = new pg.Client(await serverUrl())
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = withDatabase(await serverUrl(), name)
  const migrations = schema.migrations.filter((migration) => recorded.migrations.includes(migration.name))
  await migrate(url, { ...schema, version: recorded.version, migrations }, { roles: false })
  const client = new pg.Client(url)
  await client.connect()
  await client.query(text).finally(() => client.end())
  await migrate(url, schema)
  await migrate(url, schema, { contract: true })
  const stop = async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
  return openWorld({ url, roleUrls: roleUrls(url), stop }, recorded.chain)
}
