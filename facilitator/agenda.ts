const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const FORGET_AFTER_MS = 300_000

interface Entry {
  /** When it is due by the clock; undefined for a block. */
  dueAt: number | undefined
  pauseMs: number
  /** Asked at each block, where it waits for one. */
  isDue: () => boolean
}

/**
 * When each intent is looked at again: at a block, or after a pause that doubles while it gets nowhere. In memory alone:
 * a new process simply looks at everything.
 */
export class Agenda {
  readonly #entries = new Map<string, Entry>()
  readonly #active = new Set<string>()
  /** Those that have had a transaction. */
  readonly #underWay = new Set<string>()

  /** The intents that are not to be looked at now. */
  notNow(): string[] {
    const now = performance.now()
    this.#forgetClosed(now)
    const later = [...this.#entries].filter(([, { dueAt }]) => dueAt === undefined || dueAt > now)
    return [...this.#active, ...later.map(([id]) => id)]
  }

  /** The intents that have had a transaction: to look at them again is no new work. */
  underWay(): string[] {
    return [...this.#underWay]
  }

  /** What was due long ago and not picked up has been closed meanwhile. */
  #forgetClosed(now: number): void {
    for (const [id, { dueAt }] of this.#entries) {
      if (dueAt !== undefined && dueAt < now - FORGET_AFTER_MS) this.#entries.delete(id)
    }
  }

  get activeCount(): number {
    return this.#active.size
  }

  begin(id: string): void {
    this.#active.add(id)
  }

  /** It has transactions under way, and is due at the first block at which one has come to an end. */
  endUntilSettled(id: string, isDue: () => boolean): void {
    this.#active.delete(id)
    this.#underWay.add(id)
    this.#entries.set(id, { dueAt: undefined, pauseMs: 0, isDue })
  }

  /** It is due at the next block. */
  endUntilNextBlock(id: string): void {
    this.#active.delete(id)
    this.#entries.set(id, { dueAt: undefined, pauseMs: 0, isDue: () => true })
  }

  /** Answers how long the pause is. */
  endForAWhile(id: string): number {
    const pauseMs = Math.min(Math.max((this.#entries.get(id)?.pauseMs ?? 0) * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
    this.#active.delete(id)
    this.#entries.set(id, { dueAt: performance.now() + pauseMs, pauseMs, isDue: () => true })
    return pauseMs
  }

  forget(id: string): void {
    this.#active.delete(id)
    this.#underWay.delete(id)
    this.#entries.delete(id)
  }

  /** Of those that were due, all that are still open were found: the others have been closed meanwhile. */
  onFound(found: ReadonlySet<string>): void {
    for (const id of this.#underWay) {
      if (!found.has(id) && !this.#active.has(id) && !this.#entries.has(id)) this.#underWay.delete(id)
    }
  }

  /** A block has come: whoever waited for one is due. */
  onBlock(): void {
    for (const [id, { dueAt, isDue }] of this.#entries) if (dueAt === undefined && isDue()) this.#entries.delete(id)
  }
}
