import pg from 'pg'

/** What a statement did. */
export interface Done {
  rows: Record<string, unknown>[]
  /** Postgres' own word for it, such as `INSERT`. */
  command: string
  /** How many rows it wrote or read. */
  rowCount: number
}

// pg's own, as its queries use it; its types do not name it.
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

const names = new Map<string, string>()

/** Has every connection keep the plan of a text, under this name. */
export function plan(text: string, name: string): void {
  names.set(text, name)
}

/**
 * A borrowed connection as statements see it. It is pipelined: what is said without waiting travels together, in its
 * order, where each statement that is waited for costs a turn of two processes (PostgreSQL, 53.2.4).
 */
export class Session {
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** Runs a statement with its values, $1 first. Rejects with what Postgres says against it, throws for no possible value. */
  run(text: string, values: readonly unknown[]): Promise<Done> {
    // At once: a value that cannot be sent is known before anything is said after it.
    return this.#query({ text, values: values.map(prepareValue), name: names.get(text) })
  }

  /** Hands the connection back to its pool, or has it closed. */
  release(isBroken: boolean): void {
    this.#client.release(isBroken)
  }

  async #query({ name, ...query }: { text: string; values: unknown[]; name: string | undefined }): Promise<Done> {
    const { rows, command, rowCount } = await this.#client.query(name === undefined ? query : { ...query, name })
    return { rows, command, rowCount: rowCount ?? 0 }
  }
}
