import pg from 'pg'
import { type Done, Exchange, type Planned, type Step } from './exchange.ts'

type Prepare = (value: unknown) => string | Buffer | null

// pg's own, as its queries use it; its types do not name it.
const { prepareValue } = (pg as unknown as { utils: { prepareValue: Prepare } }).utils

const names = new Map<string, string>()
const sessions = new WeakMap<pg.PoolClient, Session>()

/** Has every connection keep the plan of a text, under this name. */
export function plan(text: string, name: string): void {
  names.set(text, name)
}

/** The session of a pooled connection: the same one whenever the connection is borrowed. */
export function sessionOn(client: pg.PoolClient): Session {
  const known = sessions.get(client)
  if (known) return known
  const session = new Session(client)
  sessions.set(client, session)
  return session
}

/**
 * A connection as statements see it. Those that are said before anything else happens in the process travel together,
 * in their order: what is waited for one by one costs a write, a read and a turn of two processes each.
 */
export class Session {
  readonly #client: pg.PoolClient
  readonly #planned: Planned = new Map()
  #waiting: Step[] = []

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** Runs a statement with its values, $1 first. Rejects with what Postgres says against it, throws for no possible value. */
  run(text: string, values: readonly unknown[]): Promise<Done> {
    // At once: a value that cannot be sent is known before anything is said after it.
    return told(this.#say(text, values.map(prepareValue)))
  }

  /** Hands the connection back to its pool, or has it closed. */
  release(isBroken: boolean): void {
    this.#client.release(isBroken)
  }

  #say(text: string, values: Step['values']): Promise<Done> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) process.nextTick(() => this.#send())
      this.#waiting.push({ text, name: names.get(text), values, resolve, reject })
    })
  }

  #send(): void {
    const steps = this.#waiting
    this.#waiting = []
    this.#client.query(new Exchange(steps, this.#planned))
  }
}

// Where an error was noticed tells nothing: it is told where the statement was run.
async function told(done: Promise<Done>): Promise<Done> {
  try {
    return await done
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}
