import pg from 'pg'
import { Exchange } from './exchange.ts'
import { columnTypes as types } from './query.ts'
import type { Outcome, Step, Value } from './receiver.ts'

/** What a statement did. */
export interface Done {
  rows: Record<string, unknown>[]
  /** Postgres' own word for it, such as `INSERT`. */
  command: string
  /** How many rows it wrote or read. */
  rowCount: number
}

// pg's own, as its queries use it; its types do not name it.
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => Value } }).utils

const names = new Map<string, string>()

/** Has every connection keep the plan of a text, under this name. */
export function plan(text: string, name: string): void {
  names.set(text, name)
}

/**
 * A borrowed connection as statements see it. What a transaction says before anything else happens in the process travels
 * together, in its order: what is waited for one by one costs a write, a read and a turn of two processes each.
 */
export class Session {
  readonly #client: pg.PoolClient
  #waiting: Step[] = []
  #isBusy = false
  #hasBegun = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** Runs a statement on its own, with its values, $1 first. Rejects with what Postgres says against it. */
  async run(text: string, values: readonly unknown[]): Promise<Done> {
    const name = names.get(text)
    return done(await this.#client.query({ text, values: [...values], types, ...(name === undefined ? {} : { name }) }))
  }

  /**
   * Runs a statement of a transaction, along with those that are said around it. Rejects with what Postgres says against it
   * or one before it in the same turn, or one that was under way: then it is not run. Throws for no possible value.
   */
  join(text: string, values: readonly unknown[]): Promise<Done> {
    // At once: a value that cannot be sent is known before anything is said after it.
    return this.#told(text, values.map(prepareValue))
  }

  /**
   * The same for a statement whose rows nobody reads: `callback` hears its word, or what Postgres says against it. What
   * begins or ends a transaction says so.
   */
  say(
    text: string,
    values: readonly unknown[],
    callback: (error: Error | undefined, command: string) => void,
    bracket?: Step['bracket'],
  ): void {
    const heard: Step['callback'] = (error, { command }) => callback(error, command)
    this.#put({
      text,
      values: values.map(prepareValue),
      name: names.get(text),
      callback: heard,
      isRead: false,
      bracket,
    })
  }

  /** Whether a transaction was begun, or is about to be: then it is to be rolled back where it fails. */
  get holdsTransaction(): boolean {
    return this.#hasBegun || this.#waiting.some(({ bracket }) => bracket === 'begins')
  }

  /** Hands the connection back to its pool, or has it closed. */
  release(isBroken: boolean): void {
    this.#client.release(isBroken)
  }

  async #told(text: string, values: Value[]): Promise<Done> {
    try {
      const outcome = await new Promise<Outcome>((resolve, reject) => {
        const callback: Step['callback'] = (error, outcome) => (error ? reject(error) : resolve(outcome))
        this.#put({ text, values, name: names.get(text), callback, isRead: true })
      })
      return done(outcome)
    } catch (error) {
      // Where an error was noticed tells nothing: it is told where the statement was run.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }

  #put(step: Step): void {
    if (this.#waiting.length === 0 && !this.#isBusy) process.nextTick(() => this.#send())
    this.#waiting.push(step)
  }

  // One exchange at a time: what is said meanwhile must not run where what it follows has failed.
  #send(): void {
    const steps = withoutBrackets(this.#waiting)
    this.#waiting = []
    this.#isBusy = true
    this.#hasBegun ||= steps.some(({ bracket }) => bracket === 'begins')
    const last = steps.at(-1) as Step
    const exchange = new Exchange([...steps.slice(0, -1), { ...last, callback: this.#thenGoOn(last.callback) }], types)
    this.#client.query(exchange)
  }

  #thenGoOn(callback: Step['callback']): Step['callback'] {
    return (error, outcome) => {
      this.#isBusy = false
      callback(error, outcome)
      if (error) for (const { callback } of this.#waiting.splice(0)) callback(error, outcome)
      else if (this.#waiting.length > 0) this.#send()
    }
  }
}

/** A whole transaction without what begins and ends it, or else the same steps: its end is told what its last step is. */
function withoutBrackets(steps: Step[]): Step[] {
  const [first, last] = [steps[0], steps.at(-1)]
  const inner = steps.slice(1, -1)
  const closing = inner.at(-1)
  if (first?.bracket !== 'begins' || last?.bracket !== 'commits' || !closing) return steps
  const callback: Step['callback'] = (error, outcome) => {
    closing.callback(error, outcome)
    last.callback(error, { rows: [], command: 'COMMIT', rowCount: null })
  }
  return [...inner.slice(0, -1), { ...closing, callback }]
}

function done({ rows, command, rowCount }: Outcome): Done {
  return { rows, command, rowCount: rowCount ?? 0 }
}
