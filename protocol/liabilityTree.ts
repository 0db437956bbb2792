import { hash } from 'node:crypto'
import { MAX_AMOUNT_MICROS } from './amounts.ts'

// A Merkle-sum tree: every node has a hash and the sum of the leaves below it, and its hash covers the hashes and sums
// of both its children. So no leaf can be left out of a sum, nor a sum be reduced on the way to the root. Level 0 are
// the leaves; positions of a level without a node are padding of sum 0.

const HASH_BYTES = 32
/** The stored and hashed form of a node: 32 bytes of hash, then its sum, an unsigned big-endian 64-bit integer. */
export const NODE_BYTES: number = HASH_BYTES + 8
/** Enough for any number of leaves, and few enough that a path is short. */
const MAX_HEIGHT = 40

const LEAF = Buffer.from('market:liability-leaf:')
const NODE = Buffer.from('market:liability-node:')
const PADDING = Buffer.from('market:liability-padding:')

/** A node of the tree. Micro-units. */
export interface SumNode {
  hash: Uint8Array
  sumMicros: bigint
}

/**
 * What one account is owed, as a leaf of a tree. Without the salt, its hash reveals nothing, even to a reader who
 * guesses the content.
 */
export interface LiabilityLeaf {
  /** The account: the ledger's kind and owner, `payable:market:human:…`. */
  account: string
  amountMicros: bigint
  /** 32 random bytes, used only for this leaf in this tree. */
  salt: Uint8Array
}

/** The position of a leaf, and the other child of each node on the way up from it. */
export interface LiabilityPath {
  position: bigint
  siblings: readonly SumNode[]
}

/** A root and its level above the leaves. */
export interface LiabilityRoot extends SumNode {
  height: number
}

/** Throws a RangeError for a sum that is negative, or above the range of a BIGINT column. */
function requireSum(sumMicros: bigint): void {
  if (sumMicros < 0n || sumMicros > MAX_AMOUNT_MICROS) throw new RangeError(`no sum of a tree: ${sumMicros}`)
}

/** Returns a node's 40 bytes. Throws a RangeError for a sum out of bounds or a hash of another length. */
export function encodeNode({ hash: digest, sumMicros }: SumNode): Buffer {
  requireSum(sumMicros)
  if (digest.length !== HASH_BYTES) throw new RangeError(`a hash has ${HASH_BYTES} bytes, not ${digest.length}`)
  const bytes = Buffer.alloc(NODE_BYTES)
  bytes.set(digest)
  bytes.writeBigUInt64BE(sumMicros, HASH_BYTES)
  return bytes
}

/** Returns the node encoded in 40 bytes. */
export function decodeNode(bytes: Buffer): SumNode {
  return { hash: bytes.subarray(0, HASH_BYTES), sumMicros: bytes.readBigUInt64BE(HASH_BYTES) }
}

/**
 * Returns the node of a leaf: SHA-256('market:liability-leaf:' ‖ salt ‖ amount, big-endian 64-bit ‖ account in UTF-8),
 * and the amount. Throws a RangeError for an amount out of bounds or a salt of other than 32 bytes.
 */
export function leafNode({ account, amountMicros, salt }: LiabilityLeaf): SumNode {
  const balance = encodeNode({ hash: salt, sumMicros: amountMicros })
  return { hash: sha256(Buffer.concat([LEAF, balance, Buffer.from(account)])), sumMicros: amountMicros }
}

/**
 * Returns the node above two others: SHA-256('market:liability-node:' ‖ left hash ‖ left sum ‖ right hash ‖ right sum),
 * and the sum of both. Throws a RangeError if any of the three sums is out of bounds.
 */
export function parentNode(left: SumNode, right: SumNode): SumNode {
  const sumMicros = left.sumMicros + right.sumMicros
  requireSum(sumMicros)
  return { hash: sha256(Buffer.concat([NODE, encodeNode(left), encodeNode(right)])), sumMicros }
}

/** Returns the padding of each level from the leaves up to a height. */
export function paddingNodes(height: number): SumNode[] {
  const nodes: SumNode[] = [{ hash: sha256(PADDING), sumMicros: 0n }]
  for (let level = 1; level <= height; level++) {
    const below = nodes[level - 1] as SumNode
    nodes.push(parentNode(below, below))
  }
  return nodes
}

/** Returns the root's level above so many leaves. A tree of at most one leaf is its own root. */
function heightOf(leaves: number): number {
  return leaves <= 1 ? 0 : Math.ceil(Math.log2(leaves))
}

/**
 * Returns the level above one, both as concatenated node bytes. `padding` completes a level of odd length. Throws a
 * RangeError above the largest sum.
 */
function levelAbove(below: Buffer, padding: SumNode): Buffer {
  const nodes = below.length / NODE_BYTES
  const above = Buffer.alloc(Math.ceil(nodes / 2) * NODE_BYTES)
  const nodeAt = (index: number) =>
    index < nodes ? decodeNode(below.subarray(index * NODE_BYTES, (index + 1) * NODE_BYTES)) : padding
  for (let index = 0; index < nodes; index += 2) {
    above.set(encodeNode(parentNode(nodeAt(index), nodeAt(index + 1))), (index / 2) * NODE_BYTES)
  }
  return above
}

/** Returns all levels from the leaves up to the root, each as concatenated node bytes. */
export function buildLevels(leaves: Buffer): Buffer[] {
  const height = heightOf(leaves.length / NODE_BYTES)
  const padding = paddingNodes(height)
  const levels = [leaves.length > 0 ? leaves : encodeNode(padding[0] as SumNode)]
  for (let level = 0; level < height; level++) {
    levels.push(levelAbove(levels[level] as Buffer, padding[level] as SumNode))
  }
  return levels
}

/** Returns the root of a tree. */
export function rootOf(levels: readonly Buffer[]): LiabilityRoot {
  return { ...decodeNode(levels.at(-1) as Buffer), height: levels.length - 1 }
}

/** Returns the places of a path's siblings: the other child at each level, from the leaf up. */
export function siblingPlaces(position: bigint, height: number): { level: number; position: bigint }[] {
  return Array.from({ length: height }, (_, level) => ({ level, position: (position >> BigInt(level)) ^ 1n }))
}

/** Returns the path of the leaf at a position. */
export function pathOf(levels: readonly Buffer[], position: bigint): LiabilityPath {
  const { height } = rootOf(levels)
  const padding = paddingNodes(height)
  const siblings = siblingPlaces(position, height).map(({ level, position: at }) => {
    const start = Number(at) * NODE_BYTES
    const bytes = (levels[level] as Buffer).subarray(start, start + NODE_BYTES)
    return bytes.length === NODE_BYTES ? decodeNode(bytes) : (padding[level] as SumNode)
  })
  return { position, siblings }
}

/**
 * Returns whether a leaf is in the tree of a root: the path has the tree's height, every sum on it is within bounds,
 * and it results in the root's hash and exactly its sum. Never throws.
 */
export function isInTree(leaf: LiabilityLeaf, path: LiabilityPath, root: LiabilityRoot): boolean {
  const { height } = root
  const isPath =
    height <= MAX_HEIGHT &&
    path.siblings.length === height &&
    path.position >= 0n &&
    path.position < 1n << BigInt(height)
  if (!isPath) return false
  try {
    const top = path.siblings.reduce((node, sibling, level) => {
      const isRight = ((path.position >> BigInt(level)) & 1n) === 1n
      return isRight ? parentNode(sibling, node) : parentNode(node, sibling)
    }, leafNode(leaf))
    return top.sumMicros === root.sumMicros && Buffer.from(top.hash).equals(root.hash)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function sha256(data: Buffer): Buffer {
  return hash('sha256', data, 'buffer')
}
