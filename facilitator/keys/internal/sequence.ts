import type { StoredTransaction } from '../../context/records.ts'

/** A transaction on file that may still be mined. */
export interface Live extends StoredTransaction {
  /**
   * How many heads have passed without it being mined since its last broadcast; undefined before this process
   * broadcasts it.
   */
  headsWaited: number | undefined
}

/** The chain's and the node's counts of a key's nonces: each is the lowest nonce that is not taken. */
export interface NonceCounts {
  /** At confirmed depth. */
  settled: number
  /** At the newest block. */
  mined: number
  /** Including the unmined transactions that the node had when last queried. */
  pending: number
}

/** One key's transactions that may still be mined, by nonce. */
export class Sequence {
  /** Several for one nonce if one replaced another; the last one is the newest. */
  readonly #live = new Map<number, Live[]>()
  #counts: NonceCounts = { settled: 0, mined: 0, pending: 0 }

  get counts(): NonceCounts {
    return this.#counts
  }

  /** Sets the chain's counts. Settled transactions are removed. */
  advance(counts: NonceCounts): void {
    this.#counts = counts
    for (const nonce of this.#live.keys()) if (nonce < counts.settled) this.#live.delete(nonce)
  }

  /** Sets the node's pending count: the lowest nonce above its unmined transactions. */
  takePool(pending: number): void {
    const { settled, mined } = this.#counts
    this.#counts = { settled, mined, pending: Math.max(pending, mined) }
  }

  /**
   * Returns whether the node's pool must be read to explain these counts: the chain reorganised, it mined or
   * the node holds transactions that are not on our file, or one of ours is pending so long that it may be
   * lost.
   */
  isPuzzling({ settled, mined }: Pick<NonceCounts, 'settled' | 'mined'>, patienceHeads: number): boolean {
    if (settled < this.#counts.settled || mined < this.#counts.mined || this.misses()) return true
    for (let nonce = this.#counts.mined; nonce < mined; nonce++) if (!this.#live.has(nonce)) return true
    return this.unmined().some(
      ({ nonce, headsWaited = patienceHeads }) => nonce >= mined && headsWaited + 1 >= patienceHeads,
    )
  }

  /** Adds a transaction once, however often it is read from the file. */
  keep(live: Live): Live {
    const known = this.#live.get(live.nonce) ?? []
    const same = known.find(({ hash }) => hash === live.hash)
    if (same) return same
    this.#live.set(live.nonce, [...known, live])
    return live
  }

  /** Returns the newest transaction of each unmined nonce, in nonce order. */
  unmined(): Live[] {
    const nonces = [...this.#live.keys()].filter((nonce) => nonce >= this.#counts.mined).sort((one, two) => one - two)
    return nonces.flatMap((nonce) => this.#live.get(nonce)?.at(-1) ?? [])
  }

  /** Returns the lowest nonces that neither the node nor our file has taken. */
  nextNonces(count: number): number[] {
    const nonces: number[] = []
    for (let nonce = this.#counts.pending; nonces.length < count; nonce++)
      if (!this.#live.has(nonce)) nonces.push(nonce)
    return nonces
  }

  /** Returns the free nonces below a transaction of ours: nothing above them can be mined. */
  gaps(): number[] {
    const last = Math.max(-1, ...this.#live.keys())
    const nonces: number[] = []
    for (let nonce = this.#counts.pending; nonce < last; nonce++) if (!this.#live.has(nonce)) nonces.push(nonce)
    return nonces
  }

  /** Returns whether the node holds unmined transactions that are not on our file. */
  misses(): boolean {
    for (let nonce = this.#counts.mined; nonce < this.#counts.pending; nonce++) if (!this.#live.has(nonce)) return true
    return false
  }

  get isEmpty(): boolean {
    return this.#live.size === 0
  }
}
