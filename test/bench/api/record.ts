import pg from 'pg'
import { Exchange } from '../../../api/db/exchange.ts'

/** A statement as it went to Postgres. */
export interface Statement {
  text: string
  /** What the connection keeps its plan under. */
  name?: string
  values: readonly unknown[]
  /** With which of the request's others it was sent, without waiting for any of them: from 0. */
  turn: number
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown

/** Records what the API of this very process sends to Postgres while a request of ours runs. One at a time. */
export function recordStatements() {
  let sent: Statement[] | undefined
  let turn = 0
  let isOpen = false
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const original = prototype.query
  prototype.query = function query(this: pg.Client, ...args) {
    const said = args[0] instanceof Exchange ? args[0].steps : [args[0] as pg.QueryConfig<unknown[]>]
    for (const { text, name, values = [] } of said) {
      sent?.push({ text, ...(name === undefined ? {} : { name }), values, turn })
    }
    if (!isOpen) {
      isOpen = true
      // Whatever is said before this is said in the same turn of the process.
      setImmediate(() => {
        turn++
        isOpen = false
      })
    }
    return original.apply(this, args)
  }
  return {
    async during(request: () => Promise<unknown>): Promise<Statement[]> {
      sent = []
      turn = 0
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
