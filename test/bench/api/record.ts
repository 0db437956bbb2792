import pg from 'pg'

/** A statement as it went to Postgres. */
export interface Statement {
  text: string
  values: readonly unknown[]
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown

/** Records what the API in this process sends to Postgres while a request runs. One at a time. */
export function recordStatements() {
  let sent: Statement[] | undefined
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function query(this: pg.Client, ...args) {
    const [first, unnamed = []] = args as [string | { text: string; values: unknown[] }, unknown[]?]
    const { text, values } = typeof first === 'string' ? { text: first, values: unnamed } : first
    // Postgres reads a number as text in any case, and JSON holds no bigint.
    sent?.push({ text, values: values.map((value) => (typeof value === 'bigint' ? value.toString() : value)) })
    return original.apply(this, args)
  }
  return {
    async during(request: () => Promise<unknown>): Promise<Statement[]> {
      sent = []
      try {
        await request()
        return sent
      } finally {
        sent = undefined
      }
    },
    stop: () => {
      prototype.query = original
    },
  }
}
