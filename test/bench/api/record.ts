import pg from 'pg'

/** A statement as it went to Postgres. */
export interface Statement {
  text: string
  /** What the connection keeps its plan under. */
  name?: string
  values: readonly unknown[]
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown

/** Records what the API of this very process sends to Postgres while a request of ours runs. One at a time. */
export function recordStatements() {
  let statements: Statement[] | undefined
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function query(this: pg.Client, ...args) {
    const [first, values] = args
    const sent = typeof first === 'string' ? { text: first, values } : (first as { text: string; values?: unknown })
    statements?.push({ ...sent, values: Array.isArray(sent.values) ? [...sent.values] : [] })
    return original.apply(this, args)
  }
  return {
    async during(request: () => Promise<unknown>): Promise<Statement[]> {
      statements = []
      try {
        await request()
        return statements
      } finally {
        statements = undefined
      }
    },
    stop: () => {
      prototype.query = original
    },
  }
}
