import type pg from 'pg'
import { type Connection, type Receiver, receiverOf, type Step } from './receiver.ts'

// A message of its own (53.7).
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])

interface Gathering {
  /** The connection, but each message that is said on it waits in `messages`, and none is a Sync. */
  silent: Connection
  send: (messages: Buffer) => void
  messages: Buffer[]
}

const gatherings = new WeakMap<Connection, Gathering>()

function gathering(connection: Connection): Gathering {
  const known = gatherings.get(connection)
  if (known) return known
  const messages: Buffer[] = []
  const silent: Connection = Object.create(connection, {
    sync: { value: () => {} },
    _send: { value: (message: Buffer) => messages.push(message) },
  })
  const made = { silent, messages, send: (whole: Buffer) => connection._send(whole) }
  gatherings.set(connection, made)
  return made
}

/**
 * Statements under one Sync (PostgreSQL, 53.2.4): they travel together, run in their order, and are answered together. Where
 * one fails those after it are not run, and hear of the same error. They must be parts of one transaction that begins
 * among them or before. pg hands it what Postgres answers.
 */
export class Exchange implements pg.Submittable {
  readonly steps: readonly Step[]
  readonly #receivers: readonly Receiver[]
  #done = 0

  constructor(steps: readonly Step[], types: pg.CustomTypesConfig) {
    this.steps = steps
    this.#receivers = steps.map((step) => receiverOf(step, types))
  }

  /** By this and the text pg remembers what the connection has parsed. */
  get name(): string | undefined {
    return this.#current.name
  }

  get text(): string {
    return this.#current.text
  }

  submit(connection: pg.Connection): void {
    const { silent, messages, send } = gathering(connection as Connection)
    messages.length = 0
    for (const receiver of this.#receivers) receiver.submit(silent)
    // In one piece: what a socket is handed costs by the piece.
    send(Buffer.concat([...messages, SYNC]))
  }

  handleRowDescription(message: unknown): void {
    this.#current.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#current.handleDataRow(message)
  }

  handleCommandComplete(message: { text: string }, connection: Connection): void {
    this.#current.handleCommandComplete(message, connection)
    this.#done++
  }

  handleEmptyQuery(connection: Connection): void {
    this.#current.handleEmptyQuery(connection)
    this.#done++
  }

  handleCopyInResponse(connection: Connection): void {
    this.#current.handleCopyInResponse(connection)
  }

  handleReadyForQuery(connection: Connection): void {
    for (const receiver of this.#receivers) receiver.handleReadyForQuery(connection)
  }

  handleError(error: Error, connection: Connection): void {
    const failed = this.#receivers.indexOf(this.#current)
    for (const receiver of this.#receivers.slice(0, failed)) receiver.handleReadyForQuery(connection)
    for (const receiver of this.#receivers.slice(failed)) {
      // Postgres has read none of them: the next to need one has it parsed.
      delete connection.submittedNamedStatements[receiver.name ?? '']
      receiver.handleError(error, connection)
    }
  }

  // What comes after the last, such as a connection that is lost before all is said, is the last one's.
  get #current(): Receiver {
    return this.#receivers[Math.min(this.#done, this.#receivers.length - 1)] as Receiver
  }
}
