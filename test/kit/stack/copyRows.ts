import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { unprivilegedAccount } from '../../../cli/machine/account.ts'

const TABLES = `
  select format('%I.%I', nspname, relname) as name, (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class relation join pg_namespace schema on schema.oid = relnamespace
  where relkind in ('r', 'p') and not relispartition and nspname in ('market', 'ledger', 'facilitator') order by 1`
const SEQUENCES = `
  select format('%I.%I', schemaname, sequencename) as name, last_value from pg_sequences
  where schemaname in ('market', 'ledger', 'facilitator') and last_value is not null`

/**
 * Copies all rows and sequences of one migrated database into another one, which may be on another server of
 * this machine, in one snapshot, as a dump of the data does: by COPY, past the triggers.
 */
export async function copyRows(fromUrl: string, toUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'copy-'))
  const account = unprivilegedAccount()
  if (account) await chown(folder, account.uid, account.gid)
  const [from, to] = [new pg.Client(fromUrl), new pg.Client(toUrl)]
  try {
    await Promise.all([from.connect(), to.connect()])
    await from.query('begin isolation level repeatable read read only')
    await to.query('begin')
    await to.query('set local session_replication_role = replica')
    const { rows: tables } = await from.query<{ name: string; columns: string }>(TABLES)
    await to.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
    for (const [index, { name, columns }] of tables.entries()) {
      const file = from.escapeLiteral(join(folder, String(index)))
      await from.query(`copy (select ${columns} from ${name}) to ${file}`)
      await to.query(`copy ${name} (${columns}) from ${file}`)
    }
    const { rows: sequences } = await from.query<{ name: string; last_value: string }>(SEQUENCES)
    for (const { name, last_value } of sequences) await to.query('select setval($1, $2)', [name, last_value])
    await to.query('commit')
  } finally {
    await Promise.all([from.end(), to.end()])
    await rm(folder, { recursive: true })
  }
}
