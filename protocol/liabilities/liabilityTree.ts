import { sha256 } from '#sha256'
import { utf8 } from '../encoding/bytes.ts'
import {
  encodeNode,
  type LiabilityPath,
  type LiabilityRoot,
  NODE_BYTES,
  parentNode,
  type SumNode,
  writeNode,
} from './liabilityPath.ts'

// The whole tree, as the service builds it. Readers check single paths (liabilityPath.ts).

const HASH_BYTES = NODE_BYTES - 8
const PADDING = utf8('market:liability-padding:')

/** Returns the node encoded in 40 bytes. */
export function decodeNode(bytes: Buffer): SumNode {
  return { hash: bytes.subarray(0, HASH_BYTES), sumMicros: bytes.readBigUInt64BE(HASH_BYTES) }
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
 * Returns the level above one, both as concatenated node bytes. `padding` completes a level of odd length.
 * Throws a RangeError above the largest sum.
 */
function levelAbove(below: Buffer, padding: SumNode): Buffer {
  const nodes = below.length / NODE_BYTES
  const above = Buffer.alloc(Math.ceil(nodes / 2) * NODE_BYTES)
  const nodeAt = (index: number) =>
    index < nodes ? decodeNode(below.subarray(index * NODE_BYTES, (index + 1) * NODE_BYTES)) : padding
  for (let index = 0; index < nodes; index += 2) {
    writeNode(above, (index / 2) * NODE_BYTES, parentNode(nodeAt(index), nodeAt(index + 1)))
  }
  return above
}

/**
 * Returns bytes as a Buffer over their own memory: a copy would be in Node's pool, which no thread can hand
 * to another.
 */
function ownBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Returns all levels from the leaves up to the root, each as concatenated node bytes. */
export function buildLevels(leaves: Buffer): Buffer[] {
  const height = heightOf(leaves.length / NODE_BYTES)
  const padding = paddingNodes(height)
  const levels = [leaves.length > 0 ? leaves : ownBuffer(encodeNode(padding[0] as SumNode))]
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
