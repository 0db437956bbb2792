import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { MAX_AMOUNT_MICROS } from '../../../protocol/encoding/amounts.ts'
import {
  encodeNode,
  isInTree,
  type LiabilityLeaf,
  type LiabilityPath,
  type LiabilityRoot,
  leafNode,
  parentNode,
  type SumNode,
} from '../../../protocol/liabilities/liabilityPath.ts'
import { buildLevels, pathOf, rootOf } from '../../../protocol/liabilities/liabilityTree.ts'

const leavesOf = (leaves: readonly LiabilityLeaf[]) => Buffer.concat(leaves.map((leaf) => encodeNode(leafNode(leaf))))
const treeOf = (leaves: readonly LiabilityLeaf[]) => buildLevels(leavesOf(leaves))

const leaf = fc.record({
  account: fc.string({ maxLength: 60 }),
  amountMicros: fc.oneof(fc.bigInt(0n, 10n ** 12n), fc.constantFrom(0n, 1n)),
  salt: fc.uint8Array({ minLength: 32, maxLength: 32 }),
})
const leaves = fc.array(leaf, { minLength: 1, maxLength: 40 })

/** A tree, one of its leaves, and the proof of it. */
const proven = fc.tuple(leaves, fc.nat()).map(([all, pick]) => {
  const index = pick % all.length
  const levels = treeOf(all)
  return { all, index, own: all[index] as LiabilityLeaf, path: pathOf(levels, BigInt(index)), root: rootOf(levels) }
})
type Proven = typeof proven extends fc.Arbitrary<infer Value> ? Value : never

/** Refused, whatever the tree: what is changed, and how. Undefined where there is nothing to change. */
function refuses(
  change: (proof: Proven) => { own?: LiabilityLeaf; path?: LiabilityPath; root?: LiabilityRoot } | undefined,
) {
  let refused = 0
  fc.assert(
    fc.property(proven, (proof) => {
      const changed = change(proof)
      if (!changed) return
      refused++
      const { own, path, root } = { ...proof, ...changed }
      expect(isInTree(own, path, root)).to.equal(false)
    }),
  )
  expect(refused).to.be.above(20)
}

/** The path with one of its siblings replaced: the one nearest to the root. */
function withSibling({ path }: Proven, change: (sibling: SumNode) => SumNode): { path: LiabilityPath } | undefined {
  const top = path.siblings.at(-1)
  return top && { path: { ...path, siblings: path.siblings.with(-1, change(top)) } }
}

describe('the tree of liabilities', () => {
  it('proves every leaf of it, and its root sums them all', () => {
    fc.assert(
      fc.property(leaves, (all) => {
        const levels = treeOf(all)
        const root = rootOf(levels)
        expect(root.sumMicros).to.equal(all.reduce((sum, { amountMicros }) => sum + amountMicros, 0n))
        for (const [index, own] of all.entries())
          expect(isInTree(own, pathOf(levels, BigInt(index)), root)).to.equal(true)
      }),
    )
  })

  it('proves nobody’s other balance, account or salt', () => {
    refuses(({ own }) => ({ own: { ...own, amountMicros: own.amountMicros + 1n } }))
    refuses(({ own }) => ({ own: { ...own, amountMicros: own.amountMicros - 1n } }))
    refuses(({ own }) => ({ own: { ...own, account: `${own.account}x` } }))
    refuses(({ own }) => ({ own: { ...own, salt: randomBytes(32) } }))
    refuses(({ own }) => ({ own: { ...own, salt: own.salt.subarray(1) } }))
  })

  it('is found out when a sum on the way is changed, made negative, or too large', () => {
    refuses((proof) => withSibling(proof, (node) => ({ ...node, sumMicros: node.sumMicros + 1n })))
    refuses((proof) => withSibling(proof, (node) => ({ ...node, sumMicros: -node.sumMicros - 1n })))
    refuses((proof) => withSibling(proof, (node) => ({ ...node, sumMicros: MAX_AMOUNT_MICROS })))
    refuses((proof) => withSibling(proof, (node) => ({ ...node, sumMicros: node.sumMicros + 2n ** 64n })))
    refuses(({ root }) => ({ root: { ...root, sumMicros: root.sumMicros - 1n } }))
  })

  it('cannot tell two owners side by side that the other is owed less', () => {
    // Maxwell's tree of 2014 took the sum of both into the hash alone: there, both are shown a root of the
    // larger of the two.
    fc.assert(
      fc.property(fc.tuple(leaf, leaf), ([left, right]) => {
        const [one, other] = [left, right].map((own) => ({ ...own, amountMicros: own.amountMicros + 1n }))
        if (!one || !other) return
        const [sumMicros = 0n] = [one.amountMicros, other.amountMicros].sort((less, more) => Number(more - less))
        const shown = { ...leafNode(other), sumMicros: sumMicros - one.amountMicros }
        const root = { ...parentNode(leafNode(one), shown), height: 1 }
        expect(isInTree(one, { position: 0n, siblings: [shown] }, root)).to.equal(true)
        const shownToOther = { ...leafNode(one), sumMicros: sumMicros - other.amountMicros }
        expect(isInTree(other, { position: 1n, siblings: [shownToOther] }, root)).to.equal(false)
      }),
    )
  })

  it('is found out when its builder counts below zero by counting past the end', () => {
    fc.assert(
      fc.property(leaf, fc.bigInt(1n, 10n ** 6n), (own, hiddenMicros) => {
        const node = leafNode(own)
        const other = { hash: randomBytes(32), sumMicros: 2n ** 64n - hiddenMicros }
        const bytes = [node, other].map(({ hash, sumMicros }) => {
          const sum = Buffer.alloc(8)
          sum.writeBigUInt64BE(sumMicros)
          return Buffer.concat([hash, sum])
        })
        const hash = createHash('sha256').update('market:liability-node:').update(Buffer.concat(bytes)).digest()
        for (const sumMicros of [own.amountMicros - hiddenMicros, own.amountMicros + other.sumMicros]) {
          const path = { position: 0n, siblings: [other] }
          expect(isInTree(own, path, { hash, sumMicros, height: 1 })).to.equal(false)
        }
      }),
    )
  })

  it('is found out when children are swapped, a leaf stands twice, or the path is of another length', () => {
    refuses(({ own, path, root }) => {
      const sibling = path.siblings[0]
      // Two equal children are one and the same either way round.
      if (!sibling || Buffer.from(sibling.hash).equals(leafNode(own).hash)) return undefined
      return { path: { ...path, position: path.position ^ 1n }, root }
    })
    refuses(({ path, all }) => {
      const other = path.position + (1n << BigInt(Math.ceil(Math.log2(all.length)) || 0))
      return { path: { ...path, position: other } }
    })
    refuses(({ path }) =>
      path.siblings.length > 0 ? { path: { ...path, siblings: path.siblings.slice(1) } } : undefined,
    )
    refuses(({ path, root }) => ({
      path: { ...path, siblings: [...path.siblings, { hash: root.hash, sumMicros: 0n }] },
    }))
    refuses(({ path }) => ({ path: { ...path, position: -1n } }))
    refuses(({ all, root }) => {
      const levels = treeOf(all)
      if (root.height === 0) return undefined
      return { own: all[0] as LiabilityLeaf, path: pathOf(levels, 0n), root: { ...root, height: root.height - 1 } }
    })
  })

  it('takes no node for a leaf, nor a tree of another height', () => {
    refuses(({ path, root }) => {
      if (root.height === 0) return undefined
      return {
        path: { position: path.position >> 1n, siblings: path.siblings.slice(1) },
        root: { ...root, height: root.height - 1 },
      }
    })
    fc.assert(
      fc.property(leaf, (own) => {
        const beside = { hash: Buffer.from('a'.repeat(32)), sumMicros: 0n }
        const root = { ...parentNode(leafNode(own), beside), height: 0 }
        const forged = {
          account: `${'a'.repeat(32)}${'\0'.repeat(8)}`,
          amountMicros: own.amountMicros,
          salt: leafNode(own).hash,
        }
        expect(isInTree(forged, { position: 0n, siblings: [] }, root)).to.equal(false)
      }),
    )
  })

  it('has another root when its last leaf stands there twice', () => {
    // Bitcoin's tree pads with the last leaf, and had one root for both (CVE-2012-2459).
    fc.assert(
      fc.property(leaves, leaf, (all, last) => {
        const free = { ...last, amountMicros: 0n }
        expect(rootOf(treeOf([...all, free])).hash).to.not.deep.equal(rootOf(treeOf([...all, free, free])).hash)
      }),
    )
  })

  it('is not built over a sum that no BIGINT holds, or an amount below zero', () => {
    const [one, other] = [MAX_AMOUNT_MICROS, 1n].map((amountMicros) => ({
      account: 'a',
      amountMicros,
      salt: Buffer.alloc(32),
    }))
    expect(rootOf(treeOf([one as LiabilityLeaf])).sumMicros).to.equal(MAX_AMOUNT_MICROS)
    expect(() => treeOf([one as LiabilityLeaf, other as LiabilityLeaf])).to.throw(RangeError)
    expect(() => treeOf([{ ...(other as LiabilityLeaf), amountMicros: -1n }])).to.throw(RangeError)
  })

  it('of nobody has a root of its own, and sums to nothing', () => {
    const root = rootOf(treeOf([]))
    expect(root.sumMicros).to.equal(0n)
    expect(root.height).to.equal(0)
  })
})
