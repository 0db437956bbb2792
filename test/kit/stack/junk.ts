import type pg from 'pg'
import type { Column, Privilege } from './privileges.ts'

/** How many statements of a login the database took, for each table and function. */
export type Taken = Map<string, { tried: number; taken: number; refusal: string }>

/** Ordinary values of each type, as SQL. */
const ORDINARY: Record<string, readonly string[]> = {
  text: [
    `'x'`,
    'gen_random_uuid()::text',
    `repeat('a', 64)`,
    `'0x' || repeat('a', 40)`,
    `'0x' || repeat('a', 64)`,
    `'0x' || repeat('1b', 65)`,
    `'x@market.invalid'`,
  ],
  ...{ int2: ['1', '0'], int4: ['1', '0'], int8: ['1', '0'], numeric: ['1', '0'], float8: ['1', '0'] },
  ...{ bool: ['true', 'false'], uuid: ['gen_random_uuid()'], timestamptz: ['now()'], date: ['current_date'] },
  ...{
    interval: [`'1 day'`],
    jsonb: [`'{}'`, `'[]'`],
    json: [`'{}'`],
    short_id: [`left(md5(random()::text), 10)`],
    bytea: [`sha256('x')`, `'\\x00'`],
  },
}

/** How many rows of ordinary values are tried on each table that has none. */
const ORDINARY_ROWS = 500

/** Extremes of each type, as SQL. */
const EXTREMES: Record<string, readonly string[]> = {
  text: [`''`, `'x'`, `repeat('y', 100000)`, `E'\\u202e\\u0001'`],
  int2: ['-32768', '-1', '0', '32767'],
  int4: ['-2147483648', '-1', '0', '2147483647'],
  int8: ['-9223372036854775808', '-1', '0', '9223372036854775807'],
  numeric: [`'NaN'`, `'-Infinity'`, '-1', '0', `'Infinity'`],
  float8: [`'NaN'`, `'-Infinity'`, '-1', '0', `'Infinity'`],
  bool: ['true', 'false'],
  uuid: [`'00000000-0000-0000-0000-000000000000'`, `'ffffffff-ffff-ffff-ffff-ffffffffffff'`, 'gen_random_uuid()'],
  timestamptz: [`'-infinity'`, `'4713-01-01 BC'`, `'294276-12-31'`, `'infinity'`],
  date: [`'-infinity'`, `'infinity'`],
  interval: [`'-1 year'`, `'178000000 years'`],
  jsonb: [`'null'`, `'{}'`, `'[]'`, `'"x"'`, `'{"kind": "x", "amount": "-1"}'`],
  json: [`'null'`, `'{}'`, `'[]'`],
  bytea: [`''`, `'\\x00'`, `decode(repeat('ff', 10000), 'hex')`],
  traceparent: [`'x'`, `'00-${'1'.repeat(32)}-${'1'.repeat(16)}-01'`],
}

/**
 * The rows that a thief changes and deletes. Own: one that it added, or the only one that a table can have.
 */
export type Reach = 'all rows' | 'own rows'

/**
 * Does with a login whatever it may: adds, changes and deletes rows, and calls functions, all with extremes
 * of each type.
 */
export async function fillWithJunk(
  login: pg.Client,
  privileges: readonly Privilege[],
  reach: Reach = 'all rows',
): Promise<Taken> {
  const thief = new Thief(login, privileges)
  const tables = privileges.filter(({ parameters }) => !parameters)
  // A row may need one of a table that comes later.
  for (const _ of [1, 2, 3]) for (const table of tables) await thief.addOrdinary(table)
  for (const table of tables) await (reach === 'all rows' ? thief.overwrite(table) : thief.addJunk(table))
  // Rows of other tables may make room for some, as a new order does for its thread.
  if (reach === 'own rows')
    for (const table of tables) if (thief.taken.get(table.name)?.taken === 0) await thief.addJunk(table)
  for (const called of privileges) if (called.parameters) await thief.call(called)
  return thief.taken
}

class Thief {
  readonly taken: Taken
  readonly #login: pg.Client

  constructor(login: pg.Client, privileges: readonly Privilege[]) {
    this.#login = login
    this.taken = new Map(privileges.map(({ name }) => [name, { tried: 0, taken: 0, refusal: '' }]))
  }

  async addOrdinary(table: Privilege): Promise<void> {
    if ((await this.#placesIn(table.name, 1)).length > 0) return
    for (const row of ordinaryRows(table)) if ((await this.#try(table, row)) !== undefined) return
  }

  async overwrite(table: Privilege): Promise<void> {
    for (const statement of [...insertsInto(table), ...changesOf(table)]) await this.#try(table, statement)
  }

  async addJunk(table: Privilege): Promise<void> {
    let own: string | undefined
    const act = async (statement: string) => {
      own = (await this.#try(table, `${statement} returning ${PLACE} as place`)) || own
    }
    for (const statement of insertsInto(table)) await act(statement)
    const isSingle = table.columns.some(({ name }) => name === 'singleton')
    if (own === undefined && isSingle) own = (await this.#placesIn(table.name, 1))[0]
    for (const statement of own === undefined ? [] : changesOf(table))
      await act(`${statement} where ${PLACE} = '${own}'`)
  }

  async call(called: Privilege): Promise<void> {
    for (const statement of callsOf(called)) await this.#try(called, statement)
  }

  /** Returns where the row lies that a statement wrote last, or undefined if it wrote none. */
  async #try({ name, parameters }: Privilege, statement: string): Promise<string | undefined> {
    const count = this.taken.get(name) ?? { tried: 0, taken: 0, refusal: '' }
    count.tried++
    const done = await this.#login.query<{ place?: string }>(statement).catch((error: Error) => {
      count.refusal = error.message
      return undefined
    })
    if (!done || (!parameters && !done.rowCount)) return undefined
    count.taken++
    return done.rows[0]?.place ?? ''
  }

  async #placesIn(table: string, limit: number): Promise<string[]> {
    const places = `select ${PLACE} as place from ${table} limit ${limit}`
    const { rows } = await this.#login.query<{ place: string }>(places).catch(() => ({ rows: [] }))
    return rows.map(({ place }) => place)
  }
}

/** Where a row lies, as one text. */
const PLACE = `(tableoid || ' ' || ctid)`

/** Rows for a table that has none, of values that its constraints may take. */
function* ordinaryRows({ name, columns }: Privilege): Generator<string> {
  for (let row = 0; row < ORDINARY_ROWS; row++) {
    const given = columns.filter(
      ({ mayInsert, isRequired }, column) => mayInsert && (isRequired || mixed(row, column) % 8 < row % 8),
    )
    if (given.length === 0) continue
    const list = given.map((column) => column.name).join(', ')
    const values = given.map((column, place) => ordinaryOf(column).at(mixed(row, place + 100)))
    yield `insert into ${name} (${list}) values (${values.join(', ')})`
  }
}

function ordinaryOf({ type, references, shaped, named }: Column) {
  const names = type === 'text' ? named : []
  const required = references.length > 0 ? references : shaped
  const values = required.length > 0 ? required : [...names, ...(ORDINARY[type] ?? extremesOf(type))]
  return { at: (number: number) => values[number % values.length] }
}

/** A number that looks random, and is the same in each run. */
function mixed(row: number, column: number): number {
  const bits = Math.imul(row * 131 + column + 1, 0x9e3779b1)
  return Math.imul(bits ^ (bits >>> 15), 0x85ebca6b) >>> 7
}

function extremesOf(type: string): readonly string[] {
  const known = EXTREMES[type] ?? EXTREMES[ALIASES[type] ?? '']
  if (known) return [...known, 'null']
  return type.startsWith('_') || type.endsWith('[]') ? [`'{}'`, `'{null}'`, 'null'] : [`''`, 'null']
}

const ALIASES: Record<string, string> = {
  ...{ bigint: 'int8', integer: 'int4', smallint: 'int2', boolean: 'bool', 'double precision': 'float8' },
  'timestamp with time zone': 'timestamptz',
}

/** Rows that copy one there is but for one junk column, and rows of junk alone. */
function* insertsInto({ name, columns }: Privilege): Generator<string> {
  const insertable = columns.filter(({ mayInsert }) => mayInsert)
  const list = insertable.map((column) => column.name).join(', ')
  const fresh = ({ name: column, type, isUnique, references }: Column) => {
    if (!isUnique) return column
    if (references[0] !== undefined) return references[0]
    if (type === 'int8' || type === 'int4') return `(select max(${column}) + 1 from ${name})`
    // Text of the same form, as of a hash.
    if (type === 'text') return `left(${column}, -8) || left(md5(random()::text), 8)`
    return type === 'uuid' ? 'gen_random_uuid()' : column
  }
  for (const junk of insertable) {
    for (const value of extremesOf(junk.type)) {
      const copied = insertable.map((column) => (column === junk ? value : fresh(column))).join(', ')
      const kept = insertable.map((column) => (column === junk ? value : column.name)).join(', ')
      yield `insert into ${name} (${list}) select ${copied} from ${name} limit 1`
      yield `insert into ${name} (${list}) select ${kept} from ${name} limit 1 on conflict do nothing`
      yield `insert into ${name} (${junk.name}) values (${value})`
    }
  }
  for (const place of insertable.length > 0 ? [0, 1, 2, 3] : []) {
    const row = insertable.map(({ type }) => extremesOf(type).at(place) ?? 'null').join(', ')
    yield `insert into ${name} (${list}) values (${row})`
  }
}

/** Rows that are changed to junk, and removed. */
function* changesOf({ name, columns, mayDelete }: Privilege): Generator<string> {
  for (const { name: column, type, mayUpdate } of columns)
    for (const value of mayUpdate ? extremesOf(type) : []) yield `update ${name} set ${column} = ${value}`
  if (mayDelete) yield `delete from ${name}`
}

function* callsOf({ name, parameters = [] }: Privilege): Generator<string> {
  const called = name.slice(0, name.indexOf('('))
  for (const place of [0, 1, 2, 3, 4]) {
    const given = parameters.map((type) => `${extremesOf(type).at(place) ?? 'null'}::${type}`).join(', ')
    yield `select ${called}(${given})`
  }
}
