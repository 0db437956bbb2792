const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const FORGET_AFTER_MS = 300_000

interface Entry {
  /** The time it is due; undefined while it waits for a block. */
  dueAt: number | undefined
  pauseMs: number
  /** It may be due in days, so the node need not be polled for it. */
  isDistant: boolean
  /** Called at each block, if it waits for one. */
  isDue: (chainSeconds: bigint) => boolean
}

/**
 * Schedules when each intent is processed again: at a block, or after a pause that doubles while it makes no
 * progress. Kept in memory only: a new process simply processes everything.
 */
export class Agenda {
  readonly #entries = new Map<string, Entry>()
  readonly #active = new Set<string>()
  /** The intents that have had a transaction. */
  readonly #underWay = new Set<string>()

  /** Returns the intents that must not be processed now. */
  notNow(): string[] {
    const now = performance.now()
    this.#forgetClosed(now)
    const later = [...this.#entries].filter(([, { dueAt }]) => dueAt === undefined || dueAt > now)
    return [...this.#active, ...later.map(([id]) => id)]
  }

  /** Returns the intents that have had a transaction: processing them again is no new work. */
  underWay(): string[] {
    return [...this.#underWay]
  }

  /** An intent long due that was not found again has been closed meanwhile. */
  #forgetClosed(now: number): void {
    for (const [id, { dueAt }] of this.#entries) {
      if (dueAt !== undefined && dueAt < now - FORGET_AFTER_MS) this.#entries.delete(id)
    }
  }

  /** Whether no intent is active, and none waits for the next blocks or a pause. */
  get isIdle(): boolean {
    return this.#active.size === 0 && this.#entries.values().every(({ isDistant }) => isDistant)
  }

  get activeCount(): number {
    return this.#active.size
  }

  begin(id: string): void {
    this.#active.add(id)
  }

  /** Schedules an intent with pending transactions for the first block at which one of them has ended. */
  endUntilSettled(id: string, isDue: () => boolean): void {
    this.#active.delete(id)
    this.#underWay.add(id)
    this.#entries.set(id, { dueAt: undefined, pauseMs: 0, isDistant: false, isDue })
  }

  /** Schedules an intent for the next block. */
  endUntilNextBlock(id: string): void {
    this.#active.delete(id)
    this.#entries.set(id, { dueAt: undefined, pauseMs: 0, isDistant: false, isDue: () => true })
  }

  /**
   * Schedules an intent for the first block of a time (unix seconds), and for a look every 30 seconds until
   * then.
   */
  endUntilTime(id: string, seconds: bigint): void {
    const lookAgainAt = performance.now() + LONGEST_PAUSE_MS
    const isDue = (chainSeconds: bigint) => chainSeconds >= seconds || performance.now() >= lookAgainAt
    this.#active.delete(id)
    this.#entries.set(id, { dueAt: undefined, pauseMs: 0, isDistant: true, isDue })
  }

  /** Schedules an intent after a pause. Returns the length of the pause in milliseconds. */
  endForAWhile(id: string): number {
    const pauseMs = Math.min(Math.max((this.#entries.get(id)?.pauseMs ?? 0) * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
    this.#active.delete(id)
    this.#entries.set(id, { dueAt: performance.now() + pauseMs, pauseMs, isDistant: false, isDue: () => true })
    return pauseMs
  }

  forget(id: string): void {
    this.#active.delete(id)
    this.#underWay.delete(id)
    this.#entries.delete(id)
  }

  /** Removes the due intents that were not found: they have been closed meanwhile. */
  onFound(found: ReadonlySet<string>): void {
    for (const id of this.#underWay) {
      if (!found.has(id) && !this.#active.has(id) && !this.#entries.has(id)) this.#underWay.delete(id)
    }
  }

  /** Makes the intents due that wait for a block of this time (unix seconds). */
  onBlock(chainSeconds: bigint): void {
    for (const [id, { dueAt, isDue }] of this.#entries) {
      if (dueAt === undefined && isDue(chainSeconds)) this.#entries.delete(id)
    }
  }
}
