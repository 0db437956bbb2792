import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

// A simple query (message type Q, its length, its text) as the driver sends it.
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0')
const ROLLBACK = Buffer.from('Q\0\0\0\x0drollback\0')
const WRITE = /\b(insert into|update|delete from)\s+"?(market|ledger)\b|ledger\.post\(/i

/** What becomes of a commit: passed on, kept from the database, or passed on with its answer kept from the client. */
export type Verdict = 'pass' | 'drop' | 'drop answer'

/** Decides about a commit. `answered` resolves when the database has made it, if it gets it. */
export type Judge = (answered: Promise<void>) => Verdict

/** A proxy on the way to a database, where a test can stop the transactions that write. */
export interface CommitProxy {
  url: string
  /** Asked of each commit of a transaction that wrote to the market's tables. Undefined passes all of them. */
  onCommit: (judge: Judge | undefined) => void
  stop: () => void
}

/** Starts a proxy to the database at `databaseUrl`. */
export async function startCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  const upstream = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let judge: Judge | undefined
  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname)
    for (const socket of [client, database]) sockets.add(socket.once('close', () => sockets.delete(socket)))
    relay(client, database, (answered) => judge?.(answered) ?? 'pass')
  })
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    onCommit: (next) => {
      judge = next
    },
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function relay(client: Socket, database: Socket, judge: Judge): void {
  let isMuted = false
  let hasWritten = false
  let answered = Promise.withResolvers<void>()
  client.on('data', (chunk) => {
    const isCommit = chunk.includes(COMMIT)
    hasWritten ||= WRITE.test(chunk.toString('latin1'))
    if (isCommit) answered = Promise.withResolvers<void>()
    const verdict = isCommit && hasWritten ? judge(answered.promise) : 'pass'
    if (isCommit || chunk.includes(ROLLBACK)) hasWritten = false
    isMuted ||= verdict !== 'pass'
    if (verdict !== 'drop') database.write(chunk)
  })
  database.on('data', (chunk) => {
    answered.resolve()
    if (!isMuted) client.write(chunk)
  })
  for (const [socket, other] of [
    [client, database],
    [database, client],
  ] as const) {
    socket.on('error', () => other.destroy())
    socket.on('close', () => other.destroy())
  }
}
