import type { Hex } from 'viem'

/** How far behind the last pass the next one looks again: the index takes rows back for a moment and rewrites them. */
const OVERLAP_BLOCKS = 256n
/** Every so often a pass looks at everything from the deployment on, whatever was seen before. */
const SWEEP_INTERVAL_MS = 60_000
/** A fact that cannot be acted on is said to be this often, not at every pass. */
const REPEAT_ALARM_MS = 60_000
/** How long somebody may be behind the chain: a start of the index, which begins some blocks behind, takes less. */
const LAG_PATIENCE_MS = 30_000
/** Rows in doubt that are remembered. Forgetting them only delays an alarm. */
const MOST_DOUBTS = 10_000

/** What a pass looks at: up to the confirmed block `to`, while `head` is the newest and the index has come to `indexed`. */
export interface Pass {
  from: bigint
  to: bigint
  head: bigint
  indexed: bigint | undefined
  isSweep: boolean
}

/**
 * What a worker remembers of its passes. It only saves looking twice: losing it loses nothing. After a start, its own or
 * the database's, no money moves until a whole sweep has told what the chain has done meanwhile (`isCaughtUp`).
 */
export class Progress {
  #settledTo = 0n
  #sweptAt = Number.NEGATIVE_INFINITY
  #isCaughtUp = false
  #incarnation: string | undefined
  #firstHead: bigint | undefined
  readonly #lagPatienceMs: number
  readonly #alarms = new Map<string, number>()
  /** Who is behind the chain, and since when. */
  readonly #late = new Map<string, number>()
  /** Rows that the nodes did not confirm, and the head when that was first seen. */
  readonly #doubts = new Map<string, bigint>()

  /** A confirmed block: everything acted on so far is on the chain it is of. Undefined where that is to be looked at. */
  tip: { number: bigint; hash: Hex } | undefined

  constructor({ lagPatienceMs = LAG_PATIENCE_MS } = {}) {
    this.#lagPatienceMs = lagPatienceMs
  }

  get isCaughtUp(): boolean {
    return this.#isCaughtUp
  }

  /** The life of the database that all of this is about. */
  get incarnation(): string | undefined {
    return this.#incarnation
  }

  /** The newest block at the first pass of that life. */
  get firstHead(): bigint | undefined {
    return this.#firstHead
  }

  /** A pass begins, in this life of the database. In another than the last, nothing is known any more. */
  live(incarnation: string, head: bigint): void {
    if (incarnation === this.#incarnation) return
    this.#incarnation = incarnation
    this.#firstHead = head
    this.#isCaughtUp = false
    this.#sweptAt = Number.NEGATIVE_INFINITY
    this.tip = undefined
  }

  /** The first block to look at in a pass that begins now, and whether it is a sweep. */
  begin(startBlock: bigint): { from: bigint; isSweep: boolean } {
    const isSweep = performance.now() - this.#sweptAt > SWEEP_INTERVAL_MS
    const recent = this.#settledTo - OVERLAP_BLOCKS
    return { from: isSweep || recent < startBlock ? startBlock : recent, isSweep }
  }

  /** A pass has looked at everything up to a block. `isWhole`: the index had come that far, and the node agreed with it. */
  end(pass: { to: bigint; isSweep: boolean; isWhole: boolean }): void {
    if (!pass.isWhole) return
    this.#settledTo = pass.to
    if (!pass.isSweep) return
    this.#sweptAt = performance.now()
    this.#isCaughtUp = true
  }

  /**
   * Whether the index still shows a row that the nodes do not, although it has come past the head at which that was first
   * seen. Before that it may only not have followed the chain to another fork yet, which is nothing to look at.
   */
  isLasting(row: string, { head, indexed }: Pass): boolean {
    const since = this.#doubts.get(row)
    if (since === undefined) {
      if (this.#doubts.size >= MOST_DOUBTS) this.#doubts.clear()
      this.#doubts.set(row, head)
      return false
    }
    return indexed !== undefined && indexed >= since
  }

  /** Whether it is time to say (again) that a fact cannot be acted on. */
  shouldAlarm(key: string): boolean {
    const now = performance.now()
    for (const [known, saidAt] of this.#alarms) if (now - saidAt > REPEAT_ALARM_MS) this.#alarms.delete(known)
    if (this.#alarms.has(key)) return false
    this.#alarms.set(key, now)
    return true
  }

  /** Whether somebody was behind the chain at every look, and has been for longer than whoever catches up takes. */
  isLateForLong(who: string, isLate: boolean): boolean {
    const now = performance.now()
    if (!isLate) this.#late.delete(who)
    else if (!this.#late.has(who)) this.#late.set(who, now)
    return isLate && now - (this.#late.get(who) ?? now) >= this.#lagPatienceMs
  }
}
