import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { World } from '../escrow/world.ts'

type Row = Record<string, unknown>

/** One column of one row, which somebody changes by hand. */
export interface Change {
  table: string
  key: readonly string[]
  row: Row
  column: string
  to: unknown
}

/** The columns of a table with their types. */
export async function columnsOf({ db }: World, table: string): Promise<{ name: string; type: string }[]> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db)
  return rows
}

/** The rows of a table but for twins, each as JSON, in the order of a column. */
export async function rowsOf({ db }: World, table: string, order: string): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(known) as row from ${sql.table(table)} known
    where substr(to_jsonb(known)->>'id', 15, 1) is distinct from '8' order by ${sql.ref(order)}`.execute(db)
  return rows.map(({ row }) => row)
}

/** Changes a column as somebody would who has the database in hand: no trigger is asked. */
export async function change(world: World, { table, key, row, column, to }: Change): Promise<void> {
  await unguarded(
    world,
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${cell(table, column, to)} where ${isRow(table, key, row)}`,
  )
}

/** Makes it what it was. */
export async function changeBack(world: World, made: Change): Promise<void> {
  const { row, column, to } = made
  await change(world, { ...made, row: { ...row, [column]: to }, to: row[column] })
}

/** Takes a row out, and answers how it is put back. */
export async function remove(world: World, { table, key, row }: Pick<Change, 'table' | 'key' | 'row'>) {
  await unguarded(world, sql`delete from ${sql.table(table)} where ${isRow(table, key, row)}`)
  return () =>
    unguarded(
      world,
      sql`insert into ${sql.table(table)} overriding system value
        select * from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`,
    )
}

/** Runs a statement as the owner, without a trigger. */
export function unguarded(world: World, statement: ReturnType<typeof sql>): Promise<unknown> {
  return world.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await statement.execute(tx)
  })
}

/** Another value of the same type. */
export function another(type: string, value: unknown): unknown {
  if (value === null && type === 'bigint') return 1
  if (value === null && type === 'uuid') return randomUUID()
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (type.startsWith('timestamp')) return new Date(Date.parse(String(value)) + 1).toISOString()
  if (type === 'jsonb') return { ...(value as Row), more: '1' }
  const text = String(value ?? `0x${'ab'.repeat(32)}`)
  return `${text.slice(0, -1)}${text.endsWith('3') ? '4' : '3'}`
}

function cell(table: string, column: string, value: unknown) {
  const json = JSON.stringify({ [column]: value })
  return sql`(jsonb_populate_record(null::${sql.table(table)}, ${json}::jsonb)).${sql.ref(column)}`
}

function isRow(table: string, key: readonly string[], row: Row) {
  return sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${cell(table, column, row[column])}`),
    sql` and `,
  )
}
