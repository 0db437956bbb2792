import pg from 'pg'
import { prepareIndexDatabase } from '../../api/platform/db/indexDatabase.ts'
import { migrate } from '../../api/platform/db/migrate.ts'
import { type RoleSetting, showSetting } from '../../api/platform/db/roleSettings.ts'
import { schema } from '../../api/schema.ts'
import { requireSession, requireSessionUrl } from '../../protocol/environment/pooler.ts'
import { readMigrateEnvironment } from '../machine/env.ts'

/**
 * Migrates the database of DATABASE_URL, and prepares that of INDEX_DATABASE_URL. With `--contract`, also
 * removes what only the former version used. Removes the stored settings of the processes' roles, except
 * those of KEPT_ROLE_SETTINGS and the timeouts within their bounds, and prints each. Sets how long entries of
 * the audit log stay in the database: for ever without AUDIT_RETENTION_SECONDS.
 */
export async function run(args: string[]): Promise<undefined> {
  const env = readMigrateEnvironment()
  const databaseUrl = await requireSessionUrl(env, 'a migration needs')
  await requireSession(env.INDEX_DATABASE_URL, { variable: 'INDEX_DATABASE_URL', needs: 'a migration needs' })
  const settings = {
    kept: env.KEPT_ROLE_SETTINGS,
    onReset: (setting: RoleSetting) => console.log(`Removed a setting of ${showSetting(setting)}`),
  }
  await migrate(databaseUrl, schema, { contract: args.includes('--contract'), ...settings })
  await setAuditRetention(databaseUrl, env.AUDIT_RETENTION_SECONDS)
  await prepareIndexDatabase(env.INDEX_DATABASE_URL, settings)
  console.log('The databases are up to date.')
}

async function setAuditRetention(databaseUrl: string, seconds: number | undefined): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`set search_path = ''`)
    await client.query('update market.audit_turn set retention_seconds = $1', [seconds ?? null])
  } finally {
    await client.end()
  }
}
