import pg from 'pg'
import { PlannedQuery, type Settle } from './query.ts'

/** A statement on its way, its values as they travel. */
export interface Step {
  text: string
  /** What the connection keeps its plan under. */
  name: string | undefined
  values: Value[]
  /** Hears how it went. Without rows where nobody reads any. */
  callback: (error: Error | undefined, result: Outcome) => void
  isRead: boolean
  /**
   * It begins a transaction, or commits one that only Postgres' defaults were asked for. Where all of such a one travels under
   * one Sync, Postgres begins and commits it by itself (53.2.4), and neither is sent.
   */
  bracket?: 'begins' | 'commits' | undefined
}

/** A value as it travels. */
export type Value = string | Buffer | null

/** What pg tells of a statement: its rows, and Postgres' own word for it, such as `INSERT`. */
export type Outcome = Pick<pg.QueryResult, 'rows' | 'command' | 'rowCount'>

/** What of pg's connection is used here. */
export interface Connection extends pg.Connection {
  parsedStatements: Record<string, string>
  /** Statements that were sent to be parsed, and not heard of yet. */
  submittedNamedStatements: Record<string, string>
  /** Puts a message on its way, whole. */
  _send: (message: Buffer) => void
}

/** Who answers for the messages of Postgres: what pg calls on the query that is under way. */
export interface Receiver {
  name: string | undefined
  text: string
  submit: (connection: Connection) => void
  handleRowDescription: (message: unknown) => void
  handleDataRow: (message: unknown) => void
  handleCommandComplete: (message: { text: string }, connection: Connection) => void
  handleEmptyQuery: (connection: Connection) => void
  handleCopyInResponse: (connection: Connection) => void
  handleReadyForQuery: (connection: Connection) => void
  handleError: (error: Error, connection: Connection) => void
}

/** What answers for a step. */
export function receiverOf(step: Step, types: pg.CustomTypesConfig): Receiver {
  return step.isRead ? reading(step, types) : new Unread(step)
}

/** pg's own query. Not as a simple one, even without values: that would be a Sync as well. */
function reading({ text, name, values, callback }: Step, types: pg.CustomTypesConfig): Receiver {
  if (name !== undefined) return new PlannedQuery(name, text, values, callback as Settle) as unknown as Receiver
  const config = { text, values, types, queryMode: 'extended' }
  return new pg.Query(config, callback) as unknown as Receiver
}

/** A statement that answers no rows, or none that are read: they need no description, and it no query of pg's. */
class Unread implements Receiver {
  readonly name: string | undefined
  readonly text: string
  readonly #step: Step
  #tag = ''

  constructor(step: Step) {
    this.name = step.name
    this.text = step.text
    this.#step = step
  }

  submit(connection: Connection): void {
    const { name = '', text } = this
    const { parsedStatements, submittedNamedStatements } = connection
    if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      connection.parse({ name, text, types: [] }, true)
      if (name !== '') submittedNamedStatements[name] = text
    }
    connection.bind({ portal: '', statement: name, values: this.#step.values }, true)
    connection.execute({ portal: '' }, true)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#tag = text
  }

  handleReadyForQuery(): void {
    this.#step.callback(undefined, { rows: [], command: this.#tag.split(' ', 1)[0] ?? '', rowCount: null })
  }

  handleError(error: Error): void {
    this.#step.callback(error, { rows: [], command: '', rowCount: null })
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
}
