import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { prepareIndexDatabase } from '../../../api/platform/db/indexDatabase.ts'
import { enableIndexRoles, type IndexUrls } from '../../../cli/stack/postgres/roleLogins.ts'
import { serverUrl, withDatabase } from './server.ts'

// Any constant: the roles and their passwords belong to the server, and only one may set them at a time.
const ROLES_LOCK = 1_701_994_607n

/** An empty database for an index of a test's own. */
export interface TestIndex {
  /** As the owner, who may do everything: for a test's own pokes. */
  url: string
  /** As the roles of our processes. */
  indexUrls: IndexUrls
  /** Drops the database, cutting off whoever is connected. */
  stop: () => Promise<void>
}

/** Makes a database for an index: only for tests that index a chain, or forge an index. */
export async function startIndexDatabase(server?: string): Promise<TestIndex> {
  const adminUrl = server ?? (await serverUrl())
  const name = `index_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`create database ${name} strategy file_copy`)
    await admin.query('select pg_advisory_lock($1)', [ROLES_LOCK])
    const url = withDatabase(adminUrl, name)
    await prepareIndexDatabase(url)
    return { url, indexUrls: await enableIndexRoles(url), stop: () => drop(adminUrl, name) }
  } finally {
    await admin.end()
  }
}

async function drop(adminUrl: string, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`drop database if exists ${name} with (force)`)
  } finally {
    await admin.end()
  }
}
