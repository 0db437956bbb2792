const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const FORGET_AFTER_MS = 300_000

interface Entry {
  /** When it is due by the clock; undefined for the next block. */
  dueAt: number | undefined
  pauseMs: number
}

/**
 * When each intent is looked at again: at the next block, or after a pause that doubles while it gets nowhere. In
 * memory alone: a new process simply looks at everything.
 */
export class Agenda {
  readonly #entries = new Map<string, Entry>()
  readonly #active = new Set<string>()

  /** The intents that are not to be looked at now. */
  notNow(): string[] {
    const now = performance.now()
    this.#forgetClosed(now)
    const later = [...this.#entries].filter(([, { dueAt }]) => dueAt === undefined || dueAt > now)
    return [...this.#active, ...later.map(([id]) => id)]
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

  endUntilNextBlock(id: string): void {
    this.#active.delete(id)
    this.#entries.set(id, { dueAt: undefined, pauseMs: 0 })
  }

  /** Answers how long the pause is. */
  endForAWhile(id: string): number {
    const pauseMs = Math.min(Math.max((this.#entries.get(id)?.pauseMs ?? 0) * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
    this.#active.delete(id)
    this.#entries.set(id, { dueAt: performance.now() + pauseMs, pauseMs })
    return pauseMs
  }

  forget(id: string): void {
    this.#active.delete(id)
    this.#entries.delete(id)
  }

  /** A block has come: whoever waited for one is due. */
  onBlock(): void {
    for (const [id, { dueAt }] of this.#entries) if (dueAt === undefined) this.#entries.delete(id)
  }
}
