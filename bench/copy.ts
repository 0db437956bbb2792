import type pg from 'pg'

// What the driver calls while a COPY runs; its types do not name them.
interface CopyConnection {
  query: (text: string) => void
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
}

/** Writes lines of tab-separated values into a table with one COPY: the fastest way in that Postgres has. */
export function copyInto(client: pg.Client, table: string, lines: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const submittable = {
    submit: (connection: CopyConnection) => connection.query(`copy ${table} from stdin`),
    handleCopyInResponse: (connection: CopyConnection) => {
      connection.sendCopyFromChunk(Buffer.from(`${lines.join('\n')}\n`))
      connection.endCopyFrom()
    },
    handleCommandComplete: () => {},
    handleReadyForQuery: () => resolve(),
    handleError: (error: Error) => reject(error),
  }
  client.query(submittable as unknown as pg.Submittable)
  return promise
}
