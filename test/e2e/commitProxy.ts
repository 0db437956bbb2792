import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

const WRITE = /\b(insert into|update|delete from)\s+"?(market|ledger)\b|ledger\.(post_transfers|open_account)\(/i
/** What Postgres says when a transaction has been made. */
const COMMITTED = 'COMMIT\0'

/**
 * What becomes of a commit: passed on, kept from the database, or passed on with its answer kept from the
 * client.
 */
export type Verdict = 'pass' | 'drop' | 'drop answer'

/** Decides about a commit. `answered` resolves when the database has made it, if it gets it. */
export type Judge = (answered: Promise<void>) => Verdict

/** A proxy on the way to a database, where a test can stop the transactions that write. */
export interface CommitProxy {
  url: string
  /**
   * Asked of each commit of a transaction that wrote to the market's tables. Undefined passes all of them.
   */
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
  const spoken = readStatements()
  client.on('data', (chunk) => {
    let verdict: Verdict = 'pass'
    for (const text of spoken(chunk)) {
      hasWritten ||= WRITE.test(text)
      if (text === 'commit' && hasWritten) {
        answered = Promise.withResolvers<void>()
        verdict = judge(answered.promise)
      }
      if (text === 'commit' || text === 'rollback') hasWritten = false
    }
    isMuted ||= verdict !== 'pass'
    if (verdict !== 'drop') database.write(chunk)
  })
  database.on('data', (chunk) => {
    if (chunk.includes(COMMITTED)) answered.resolve()
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

/**
 * Reads what a client says, in chunks as they come: answers the text of each statement that is run. A
 * statement is known by its name once it was parsed (PostgreSQL, 54.7: Parse and Bind).
 */
function readStatements(): (chunk: Buffer) => string[] {
  const texts = new Map<string, string>()
  const messages = readMessages()
  const textOf = ([type, first = '', second = '']: readonly string[]) => {
    if (type === 'P') texts.set(first, second)
    if (type === 'B') return [texts.get(second) ?? '']
    return type === 'Q' ? [first] : []
  }
  return (chunk) => messages(chunk).flatMap(textOf)
}

/**
 * Answers of each message its type and its first two strings. Before all others comes the start-up message,
 * without a type.
 */
function readMessages(): (chunk: Buffer) => string[][] {
  let unread = Buffer.alloc(0)
  let header = 0
  const lengthOfNext = () =>
    unread.length < header + 4 ? Number.POSITIVE_INFINITY : header + unread.readInt32BE(header)
  return (chunk) => {
    unread = Buffer.concat([unread, chunk])
    const messages: string[][] = []
    for (let length = lengthOfNext(); length <= unread.length; length = lengthOfNext()) {
      messages.push([
        unread.toString('latin1', 0, header),
        ...unread.toString('latin1', header + 4, length).split('\0', 2),
      ])
      unread = unread.subarray(length)
      header = 1
    }
    return messages
  }
}
