import pg from 'pg'
import type { Exchange } from '../../../api/db/exchange.ts'

/** A statement as it went to Postgres. */
export interface Statement {
  text: string
  /** What the connection keeps its plan under. */
  name?: string
  values: Exchange['steps'][number]['values']
  /** Which of the request's writes to Postgres it went with, from 0. */
  exchange: number
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown

/** Records what the API of this very process sends to Postgres while a request of ours runs. One at a time. */
export function recordStatements() {
  let exchanges: Exchange[] | undefined
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function query(this: pg.Client, ...args) {
    exchanges?.push(args[0] as Exchange)
    return original.apply(this, args)
  }
  return {
    async during(request: () => Promise<unknown>): Promise<Statement[]> {
      exchanges = []
      try {
        await request()
        return exchanges.flatMap(({ steps }, exchange) =>
          steps.map(({ text, name, values }) => ({ text, ...(name === undefined ? {} : { name }), values, exchange })),
        )
      } finally {
        exchanges = undefined
      }
    },
    stop: () => {
      prototype.query = original
    },
  }
}
