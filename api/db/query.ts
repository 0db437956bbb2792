import pg from 'pg'

const INT8 = 20

/** How columns are read: int8 as bigint. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)),
}

type Row = Record<string, unknown>

// pg's own, as its client uses them; its types do not name them.
interface Connection {
  /** One object for as long as the connection lasts. */
  parsedStatements: object
  bind: (query: { statement: string; values: readonly unknown[] }) => void
  execute: () => void
  sync: () => void
}
/** How a query ends: an error, or what pg makes of it. */
export type Settle = (
  error: Error | null | undefined,
  result?: { rows: Row[]; command: string; rowCount: number | null },
) => void
declare class Answered {
  name: string | undefined
  constructor(text: string, values: readonly unknown[], settle: Settle)
  submit(connection: Connection): Error | null
  handleRowDescription(message: { fields: readonly pg.FieldDef[] }): void
  handleDataRow(message: { fields: readonly (string | null)[] }): void
  handleCommandComplete(message: unknown, connection: Connection): void
}
const Query = pg.Query as unknown as typeof Answered

interface Column {
  name: string
  parse: (text: string) => unknown
}

/** Of each connection: what the rows of the statements look like whose plan it keeps, by their names. */
const described = new WeakMap<object, Map<string, readonly Column[]>>()

/**
 * A statement whose plan its connection keeps. Its columns are asked for at its first run alone: they cannot change, since
 * Postgres refuses to run a plan whose rows would (plancache.c). To make, send and read their description is dearer than a
 * row.
 */
export class PlannedQuery extends Query {
  readonly #values: readonly unknown[]
  readonly #rows: Row[]
  #columns: readonly Column[] = []

  constructor(name: string, text: string, values: readonly unknown[], settle: Settle) {
    const rows: Row[] = []
    super(text, values, (error, result) => settle(error, result && { ...result, rows }))
    this.name = name
    this.#values = values
    this.#rows = rows
  }

  override submit(connection: Connection): Error | null {
    const columns = described.get(connection.parsedStatements)?.get(this.name ?? '')
    if (!columns) return super.submit(connection)
    this.#columns = columns
    connection.bind({ statement: this.name ?? '', values: this.#values })
    connection.execute()
    connection.sync()
    return null
  }

  override handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: columnTypes.getTypeParser(dataTypeID, 'text'),
    }))
  }

  override handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Row = {}
    let at = 0
    for (const { name, parse } of this.#columns) {
      const text = fields[at++]
      row[name] = text === null || text === undefined ? null : parse(text)
    }
    this.#rows.push(row)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const known = described.get(connection.parsedStatements) ?? new Map<string, readonly Column[]>()
    described.set(connection.parsedStatements, known.set(this.name ?? '', this.#columns))
    super.handleCommandComplete(message, connection)
  }
}
