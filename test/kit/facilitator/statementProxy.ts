import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * When a test steps in: before the database gets a statement, or when it has carried it out and the client
 * does not know.
 */
export type Moment = 'before' | 'after'

/** A proxy on the way to a database, where a test can step in at a statement. */
export interface StatementProxy {
  url: string
  /** Once, at the next statement with these words. From then on the connection is dead. */
  stopAt: (words: string, moment: Moment, act: () => void) => void
  stop: () => void
}

interface Stop {
  words: string
  moment: Moment
  act: () => void
}

/** Starts a proxy to the database at `databaseUrl`. */
export async function startStatementProxy(databaseUrl: string): Promise<StatementProxy> {
  const upstream = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let next: Stop | undefined
  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname)
    for (const socket of [client, database]) sockets.add(socket.once('close', () => sockets.delete(socket)))
    relay(client, database, (chunk) => {
      if (!next || !chunk.includes(next.words)) return undefined
      const stop = next
      next = undefined
      return stop
    })
  })
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    stopAt: (words, moment, act) => {
      next = { words, moment, act }
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function relay(client: Socket, database: Socket, take: (chunk: Buffer) => Stop | undefined): void {
  let stop: Stop | undefined
  client.on('data', (chunk) => {
    stop ??= take(chunk)
    if (stop?.moment === 'before') stop.act()
    else database.write(chunk)
  })
  database.on('data', (chunk) => {
    // The first answer to the statement: it is committed when the whole of it is there.
    if (!stop) client.write(chunk)
    else if (stop.moment === 'after' && isReady(chunk)) stop.act()
  })
  for (const [socket, other] of [
    [client, database],
    [database, client],
  ] as const) {
    socket.on('error', () => other.destroy())
    socket.on('close', () => other.destroy())
  }
}

/** Whether an answer ends with ReadyForQuery (type Z, five bytes, the state): the statement is over. */
function isReady(chunk: Buffer): boolean {
  return chunk.at(-6) === 'Z'.charCodeAt(0)
}
