import { randomBytes, randomInt } from 'node:crypto'
import { type LiabilityRoot, leafNode, NODE_BYTES, writeNode } from '../../../../protocol/liabilities/liabilityPath.ts'
import { buildLevels, rootOf } from '../../../../protocol/liabilities/liabilityTree.ts'
import type { Liability } from './liabilities.ts'

export const SALT_BYTES = 32

/** A page of leaves, stored by column: there may be a million leaves. */
export interface LeafPage {
  accountIds: BigInt64Array<ArrayBuffer>
  amountsMicros: BigInt64Array<ArrayBuffer>
  /** 32 bytes each, concatenated. */
  salts: Uint8Array
  positions: Uint32Array<ArrayBuffer>
}

/** A tree over some liabilities, and the account of each leaf. */
export interface AccountTree {
  root: LiabilityRoot
  levels: readonly Uint8Array[]
  pages: readonly LeafPage[]
  leaves: number
}

/**
 * Collects liabilities, page by page, into a tree. Each leaf has a fresh random salt and a random position,
 * so two trees do not reveal which leaves belong to the same account. Randomness comes from the operating
 * system.
 */
export class TreeBuilder {
  readonly #pages: (Omit<LeafPage, 'positions'> & { nodes: Buffer })[] = []

  /** Adds liabilities. Throws a RangeError for an invalid amount. */
  add(liabilities: readonly Liability[]): void {
    const salts = randomBytes(SALT_BYTES * liabilities.length)
    const nodes = Buffer.alloc(NODE_BYTES * liabilities.length)
    for (const [index, { account, amountMicros }] of liabilities.entries()) {
      const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES)
      writeNode(nodes, index * NODE_BYTES, leafNode({ account, amountMicros, salt }))
    }
    const accountIds = BigInt64Array.from(liabilities, ({ accountId }) => accountId)
    const amountsMicros = BigInt64Array.from(liabilities, ({ amountMicros }) => amountMicros)
    this.#pages.push({ accountIds, amountsMicros, salts, nodes })
  }

  /**
   * Returns the tree over all added liabilities. Throws a RangeError if the sum exceeds the range of BIGINT.
   */
  build(): AccountTree {
    const leaves = this.#pages.reduce((sum, { accountIds }) => sum + accountIds.length, 0)
    const places = shuffled(leaves)
    const bottom = Buffer.alloc(leaves * NODE_BYTES)
    let placed = 0
    const pages = this.#pages.map(({ nodes, ...page }) => {
      const positions = places.slice(placed, placed + page.accountIds.length)
      for (const [index, position] of positions.entries()) {
        nodes.copy(bottom, position * NODE_BYTES, index * NODE_BYTES, (index + 1) * NODE_BYTES)
      }
      placed += positions.length
      return { ...page, positions }
    })
    const levels = buildLevels(bottom)
    return { root: rootOf(levels), levels, pages, leaves }
  }
}

/** Returns the numbers below `count` in a uniformly random order (Fisher-Yates). */
function shuffled(count: number): Uint32Array<ArrayBuffer> {
  const places = Uint32Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const picked = randomInt(last + 1)
    const place = places[last] ?? 0
    places[last] = places[picked] ?? 0
    places[picked] = place
  }
  return places
}
