import { sha256 } from '#sha256'
import { MAX_AMOUNT_MICROS } from '../encoding/amounts.ts'
import { toHex, utf8 } from '../encoding/bytes.ts'

// A Merkle-sum tree: every node has a hash and the sum of the leaves below it, and its hash covers the hashes
// and sums of both its children. So no leaf can be left out of a sum, nor a sum be reduced on the way to the
// root. Level 0 are the leaves; positions of a level without a node are padding of sum 0.

const HASH_BYTES = 32
/**
 * The stored and hashed form of a node: 32 bytes of hash, then its sum, an unsigned big-endian 64-bit
 * integer.
 */
export const NODE_BYTES: number = HASH_BYTES + 8
/** Enough for any number of leaves, and few enough that a path is short. */
const MAX_HEIGHT = 40

const WORD_BYTES = 4
const WORD_BITS = 32n
const LOW_WORD = 0xffff_ffffn

const LEAF = utf8('market:liability-leaf:')
const NODE = utf8('market:liability-node:')

// The input of each hash is built here: allocating it costs more than hashing it, and a tree may have a
// million nodes.
const scratch = new Uint8Array(256)
const parent = scratch.subarray(0, NODE.length + 2 * NODE_BYTES)

/** A node of the tree. Micro-units. */
export interface SumNode {
  hash: Uint8Array
  sumMicros: bigint
}

/**
 * The amount that one account is owed, as a leaf of a tree. Without the salt, its hash reveals nothing, even
 * to a reader who guesses the content.
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
export function encodeNode(node: SumNode): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(NODE_BYTES)
  writeNode(bytes, 0, node)
  return bytes
}

/** Writes a node's 40 bytes at a place. Throws as encodeNode. */
export function writeNode(bytes: Uint8Array, at: number, { hash: digest, sumMicros }: SumNode): void {
  requireSum(sumMicros)
  if (digest.length !== HASH_BYTES) throw new RangeError(`a hash has ${HASH_BYTES} bytes, not ${digest.length}`)
  bytes.set(digest, at)
  writeWord(bytes, at + HASH_BYTES, Number(sumMicros >> WORD_BITS))
  writeWord(bytes, at + HASH_BYTES + WORD_BYTES, Number(sumMicros & LOW_WORD))
}

// Much quicker than a DataView of its own for each of a million nodes.
function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24
  bytes[at + 1] = word >>> 16
  bytes[at + 2] = word >>> 8
  bytes[at + 3] = word
}

/**
 * Returns the node of a leaf: SHA-256('market:liability-leaf:' ‖ salt ‖ amount, big-endian 64-bit ‖ account
 * in UTF-8), and the amount. Throws a RangeError for an amount out of bounds or a salt of other than 32
 * bytes.
 */
export function leafNode({ account, amountMicros, salt }: LiabilityLeaf): SumNode {
  const name = utf8(account)
  const end = LEAF.length + NODE_BYTES + name.length
  const bytes = end <= scratch.length ? scratch.subarray(0, end) : new Uint8Array(end)
  bytes.set(LEAF)
  writeNode(bytes, LEAF.length, { hash: salt, sumMicros: amountMicros })
  bytes.set(name, LEAF.length + NODE_BYTES)
  return { hash: sha256(bytes), sumMicros: amountMicros }
}

/**
 * Returns the node above two others: SHA-256('market:liability-node:' ‖ left hash ‖ left sum ‖ right hash ‖
 * right sum), and the sum of both. Throws a RangeError if any of the three sums is out of bounds.
 */
export function parentNode(left: SumNode, right: SumNode): SumNode {
  const sumMicros = left.sumMicros + right.sumMicros
  requireSum(sumMicros)
  parent.set(NODE)
  writeNode(parent, NODE.length, left)
  writeNode(parent, NODE.length + NODE_BYTES, right)
  return { hash: sha256(parent), sumMicros }
}

/**
 * Returns whether a leaf is in the tree of a root: the path has the tree's height, every sum on it is within
 * bounds, and it results in the root's hash and exactly its sum. Never throws.
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
    return top.sumMicros === root.sumMicros && toHex(top.hash) === toHex(root.hash)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
