import type pg from 'pg'

/**
 * The rows that were inserted or updated since a mark, as texts in which nothing is left that differs between
 * two runs.
 */
export interface Changes {
  mark: () => Promise<string>
  since: (mark: string) => Promise<string[]>
}

/** Rows that time adds: a sign of life, and heads of which the database takes some a minute. */
const LEFT_OUT = ['facilitator.heartbeat', 'market.audit_heads']
/** Names of columns with a number that counts, or a sum, across the whole database. */
const COUNTS = '(^|_)(id|entry|number|position|pass|sequence|blocks|act|balance|balance_after)$'

/** Returns how to read the changes of a database, whatever table they are in. */
export async function openChanges(watcher: pg.Client): Promise<Changes> {
  const { rows } = await watcher.query<{ name: string; columns: string[] }>(TABLES, [LEFT_OUT])
  const reads = rows.map(
    ({ name, columns }) =>
      `select '${name}' as name, to_jsonb(changed) - '{${columns.join(',')}}'::text[] as content
         from ${name} changed where changed.xmin::text::bigint >= $1::bigint`,
  )
  const all = reads.join('\nunion all ')
  return {
    mark: async () => {
      const { rows } = await watcher.query<{ mark: string }>(
        'select pg_snapshot_xmax(pg_current_snapshot())::text as mark',
      )
      return rows[0]?.mark ?? ''
    },
    since: async (mark) => {
      const { rows } = await watcher.query<{ name: string; content: unknown }>({
        ...{ name: 'changes', text: all, values: [mark] },
      })
      return rows.map(({ name, content }) => `${name} ${blurred(content)}`).sort()
    },
  }
}

/** The tables, and the columns of each that count. A partitioned table is read as one. */
const TABLES = `
  select format('%I.%I', nspname, relname) as name,
    array(select attname::text from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped
      and (atttypid = 'xid8'::regtype or (atttypid in ('bigint'::regtype, 'bigint[]'::regtype) or atttypid::regtype::text like 'ledger.%') and attname ~ '${COUNTS}')) as columns
  from pg_class class join pg_namespace namespace on namespace.oid = relnamespace
  where nspname in ('market', 'ledger', 'facilitator') and relkind in ('r', 'p') and not relispartition
    and format('%s.%s', nspname, relname) <> all ($1::text[])
  order by 1`

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g
const HEX = /(?:0x|\\\\x)?[0-9a-f]{32,}/gi
const COUNT = /(?<=[a-z]:)\d+|(?<="(?:sequence|block_number)":)"\d+"/g
// As text, or in unix seconds.
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^"]*|\b1[6-9]\d{8}\b/g
const SIGNATURE = /[\w-]{43,}|(?<="short_id":")\w+/g

/** Returns a value as text, without ids, hashes and times. */
export function blurred(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'bigint') return member.toString()
    if (member === undefined) return 'none'
    return isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member
  })
  return (text ?? 'none')
    .replace(UUID, 'id')
    .replace(HEX, 'hash')
    .replace(SIGNATURE, 'hash')
    .replace(TIME, 'time')
    .replace(COUNT, 'n')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
