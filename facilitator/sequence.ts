import type { StoredTransaction } from './store.ts'

/** A transaction on file that may still be mined. */
export interface Live extends StoredTransaction {
  /** At how many heads it was found unmined since it was last broadcast; none before this process has done so. */
  headsWaited: number | undefined
}

/** What the chain and the node know of a key's nonces: each is the lowest that is not taken. */
export interface NonceCounts {
  /** At confirmed depth. */
  settled: number
  /** At the newest block. */
  mined: number
  /** With what the node held unmined when it was last asked for that. */
  pending: number
}

/** One key's transactions that may still be mined, by nonce. */
export class Sequence {
  /** Several for one nonce where one replaced another; the last one is the newest. */
  readonly #live = new Map<number, Live[]>()
  #counts: NonceCounts = { settled: 0, mined: 0, pending: 0 }

  get counts(): NonceCounts {
    return this.#counts
  }

  /** Takes the chain's word. What is settled is forgotten. */
  advance(counts: NonceCounts): void {
    this.#counts = counts
    for (const nonce of this.#live.keys()) if (nonce < counts.settled) this.#live.delete(nonce)
  }

  /** Takes the node's word on what it holds unmined: the lowest nonce above that. */
  takePool(pending: number): void {
    const { settled, mined } = this.#counts
    this.#counts = { settled, mined, pending: Math.max(pending, mined) }
  }

  /**
   * Whether the node's pool has to be known to make sense of these counts: the chain went back, or has mined what is not on
   * our file, or the node held such; or something of ours is there for so long that it may be lost.
   */
  isPuzzling({ settled, mined }: Pick<NonceCounts, 'settled' | 'mined'>, patienceHeads: number): boolean {
    if (settled < this.#counts.settled || mined < this.#counts.mined || this.misses()) return true
    for (let nonce = this.#counts.mined; nonce < mined; nonce++) if (!this.#live.has(nonce)) return true
    return this.unmined().some(
      ({ nonce, headsWaited = patienceHeads }) => nonce >= mined && headsWaited + 1 >= patienceHeads,
    )
  }

  /** Once, however often it is read from the file. */
  keep(live: Live): Live {
    const known = this.#live.get(live.nonce) ?? []
    const same = known.find(({ hash }) => hash === live.hash)
    if (same) return same
    this.#live.set(live.nonce, [...known, live])
    return live
  }

  /** The newest of each unmined nonce, in the order of the nonces. */
  unmined(): Live[] {
    const nonces = [...this.#live.keys()].filter((nonce) => nonce >= this.#counts.mined).sort((one, two) => one - two)
    return nonces.flatMap((nonce) => this.#live.get(nonce)?.at(-1) ?? [])
  }

  /** The lowest nonces that neither the node nor our file knows as taken. */
  nextNonces(count: number): number[] {
    const nonces: number[] = []
    for (let nonce = this.#counts.pending; nonces.length < count; nonce++)
      if (!this.#live.has(nonce)) nonces.push(nonce)
    return nonces
  }

  /** Nonces below a transaction of ours that nobody has taken: nothing above them can be mined. */
  gaps(): number[] {
    const last = Math.max(-1, ...this.#live.keys())
    const nonces: number[] = []
    for (let nonce = this.#counts.pending; nonce < last; nonce++) if (!this.#live.has(nonce)) nonces.push(nonce)
    return nonces
  }

  /** Whether the node holds unmined transactions that are not on our file. */
  misses(): boolean {
    for (let nonce = this.#counts.mined; nonce < this.#counts.pending; nonce++) if (!this.#live.has(nonce)) return true
    return false
  }

  get isEmpty(): boolean {
    return this.#live.size === 0
  }
}
