/** How far behind the last pass the next one looks again: the index takes rows back for a moment and rewrites them. */
const OVERLAP_BLOCKS = 256n
/** Every so often a pass looks at everything from the deployment on, whatever was seen before. */
const SWEEP_INTERVAL_MS = 60_000
/** A fact that cannot be acted on is said to be this often, not at every pass. */
const REPEAT_ALARM_MS = 60_000

/**
 * What a worker remembers of its passes. It only saves looking twice: losing it loses nothing. After a start no money
 * moves until a whole sweep has told what the chain has done meanwhile (`isCaughtUp`).
 */
export class Progress {
  #settledTo = 0n
  #sweptAt = Number.NEGATIVE_INFINITY
  #isCaughtUp = false
  readonly #alarms = new Map<string, number>()

  get isCaughtUp(): boolean {
    return this.#isCaughtUp
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

  /** Whether it is time to say (again) that a fact cannot be acted on. */
  shouldAlarm(key: string): boolean {
    const now = performance.now()
    for (const [known, saidAt] of this.#alarms) if (now - saidAt > REPEAT_ALARM_MS) this.#alarms.delete(known)
    if (this.#alarms.has(key)) return false
    this.#alarms.set(key, now)
    return true
  }
}
