import pg from 'pg'

/** One statement on its way: its values as they travel, and who hears how it went. */
export interface Step {
  text: string
  /** What the connection keeps its plan under, or undefined for a text it reads anew each time. */
  name: string | undefined
  values: readonly (string | Buffer | null)[]
  resolve: (done: Done) => void
  reject: (error: unknown) => void
}

/** What a statement did. */
export interface Done {
  rows: Record<string, unknown>[]
  /** Postgres' own word for it, such as `INSERT 0 1`. */
  tag: string
}

/** How the rows of a statement are read. */
export interface Columns {
  names: string[]
  parsers: ((text: string) => unknown)[]
  empty: Record<string, unknown>
}

/** Of one connection: the statements whose plans it keeps, by name. */
export type Planned = Map<string, Columns>

interface Field {
  name: string
  dataTypeID: number
}

// The messages of the protocol, as pg writes them.
interface Wire {
  stream: { cork: () => void; uncork: () => void }
  parse: (message: { text: string; name: string }) => void
  bind: (message: { statement: string; values: readonly (string | Buffer | null)[] }) => void
  describe: (message: { type: 'P'; name: string }) => void
  execute: (message: { portal: string; rows: number }) => void
  close: (message: { type: 'S'; name: string }) => void
  sync: () => void
}

const WHOLE_PORTAL = { portal: '', rows: 0 }
const NOTHING: Columns = { names: [], parsers: [], empty: {} }
const INT8 = 20

/**
 * Statements that go to Postgres in one write and are answered in one (PostgreSQL, 53.2.4: Pipelining). They run in their
 * order; where one fails, those after it are not run, and are told of the same error. pg hands it what Postgres answers.
 */
export class Exchange {
  readonly steps: readonly Step[]
  readonly #planned: Planned
  readonly #results: Done[] = []
  #columns: Columns | undefined
  #rows: Record<string, unknown>[] = []
  #isOver = false

  constructor(steps: readonly Step[], planned: Planned) {
    this.steps = steps
    this.#planned = planned
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    wire.stream.cork()
    for (const step of this.steps) this.#send(wire, step)
    wire.sync()
    wire.stream.uncork()
  }

  // What the rows of a planned statement are made of stays: Postgres refuses the plan where that has changed.
  #send(wire: Wire, { text, name = '', values }: Step): void {
    const isPlanned = this.#planned.has(name)
    if (!isPlanned) {
      // It may have been planned by an exchange that failed later on. To close what is not there is no error.
      if (name !== '') wire.close({ type: 'S', name })
      wire.parse({ text, name })
    }
    wire.bind({ statement: name, values })
    if (!isPlanned) wire.describe({ type: 'P', name: '' })
    wire.execute(WHOLE_PORTAL)
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const names = fields.map(({ name }) => name)
    const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
    this.#columns = { names, parsers, empty: Object.fromEntries(names.map((name) => [name, null])) }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { names, parsers, empty } = this.#current()
    const row = { ...empty }
    for (let index = 0; index < names.length; index++) {
      const text = fields[index]
      if (typeof text === 'string') row[names[index] as string] = parsers[index]?.(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const name = this.steps[this.#results.length]?.name
    if (name !== undefined) this.#planned.set(name, this.#current())
    this.#results.push({ rows: this.#rows, tag: text })
    this.#columns = undefined
    this.#rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const [index, { resolve }] of this.steps.entries()) resolve(this.#results[index] as Done)
  }

  // What Postgres only says at the end, such as a deferred constraint, is the last one's.
  handleError(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    const failed = Math.min(this.#results.length, this.steps.length - 1)
    for (const [index, { resolve, reject }] of this.steps.entries()) {
      if (index < failed) resolve(this.#results[index] as Done)
      else reject(error)
    }
  }

  #current(): Columns {
    this.#columns ??= this.#planned.get(this.steps[this.#results.length]?.name ?? '') ?? NOTHING
    return this.#columns
  }
}

function parserOf(type: number): (text: string) => unknown {
  return type === INT8 ? BigInt : pg.types.getTypeParser(type, 'text')
}
