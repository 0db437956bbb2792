import { sql } from 'kysely'
import type { Db } from '../../../api/platform/db/pool.ts'

// Counters of requests, and what a database has of itself, are no part of a release.
const TABLES = sql<{ name: string; columns: string }>`
  select format('%I.%I', nspname, relname) as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
  from pg_class relation join pg_namespace schema on schema.oid = relnamespace
  join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = ''
  where relkind in ('r', 'p') and nspname in ('market', 'ledger', 'facilitator')
  group by nspname, relname order by 1`

const SEQUENCES = sql<{ name: string; last: string | null }>`
  select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
  from pg_sequences where schemaname in ('market', 'ledger', 'facilitator') order by 1`

const QUOTE = '$row$'

/** Returns SQL that gives a database of the same schema the rows of this one, instead of its own. */
export async function dumpRows(db: Db): Promise<string> {
  const { rows: tables } = await TABLES.execute(db)
  const statements = [
    // Triggers and references have had their say when the rows were written.
    'set session_replication_role = replica;',
    `truncate ${tables.map(({ name }) => name).join(', ')};`,
  ]
  for (const { name, columns } of tables) {
    const { rows } = await sql<{ rows: string | null }>`
      select json_agg(kept)::text as rows from (select ${sql.raw(columns)} from ${sql.raw(name)}) kept`.execute(db)
    const text = rows[0]?.rows
    if (!text) continue
    if (text.includes(QUOTE)) throw new Error(`a row of ${name} has what quotes rows`)
    statements.push(
      `insert into ${name} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${name}, ${QUOTE}${text}${QUOTE});`,
    )
  }
  for (const { name, last } of (await SEQUENCES.execute(db)).rows)
    if (last !== null) statements.push(`select setval('${name}', ${last});`)
  return `${statements.join('\n')}\n`
}
