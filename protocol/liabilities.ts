import { type Address, type Hex, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { parseAmount } from './amounts.ts'
import { isInTree, type LiabilityLeaf, type LiabilityPath, type LiabilityRoot } from './liabilityTree.ts'

const amount = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)
const hash = z
  .custom<Hex>((value) => isHex(value) && value.length === 66, 'must be 0x and 64 hex digits')
  .meta({ type: 'string', pattern: '^0x[0-9a-f]{64}$' })
const address = z
  .custom<Address>((value) => typeof value === 'string' && isAddress(value), 'must be a checksummed address')
  .meta({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' })
const hex32 = z.string().regex(/^[0-9a-f]{64}$/)

/** What custody owed at a block, as it is signed: the root of the tree of every balance, and what is to cover it. */
export const liabilitiesDocument = z.strictObject({
  type: z.literal('market:liabilities'),
  /** eip155:<chain id> */
  network: z.string(),
  token: address,
  /** The wallets whose balances at the block cover the total. Checksummed. */
  wallets: z.array(address),
  block_number: z.int().min(0),
  block_hash: hash,
  /** The root's sum: all that was owed, the service's own fees not among it. */
  total: amount,
  /** The root's hash, and how many levels it is above the leaves. */
  root: hex32,
  height: z.int().min(0).max(40),
  created_at: z.iso.datetime(),
})

export type LiabilitiesDocument = z.infer<typeof liabilitiesDocument>

/** The document as it is published: with the service's Ed25519 signature over its canonical JSON (RFC 8785). */
export const signedLiabilities = z.object({
  document: liabilitiesDocument,
  key_id: z.string(),
  signature: z.string(),
})

export type SignedLiabilities = z.infer<typeof signedLiabilities>

/** One balance, and the path from it to the root. */
export const liabilityInclusion = z.object({
  /** The ledger's kind of account and its owner. */
  account: z.string(),
  amount,
  salt: hex32,
  /** Of the leaf, from 0 on. */
  position: z.int().min(0),
  /** The other child of each node on the way up, the leaf's own neighbour first. */
  path: z.array(z.object({ hash: hex32, sum: amount })),
})

export type LiabilityInclusion = z.infer<typeof liabilityInclusion>

/** Whether a balance is in the tree whose root was signed, and counted in its total. The signature is not looked at. */
export function isIncluded(inclusion: LiabilityInclusion, document: LiabilitiesDocument): boolean {
  const root: LiabilityRoot = {
    hash: Buffer.from(document.root, 'hex'),
    sumMicros: micros(document.total),
    height: document.height,
  }
  const leaf: LiabilityLeaf = {
    account: inclusion.account,
    amountMicros: micros(inclusion.amount),
    salt: Buffer.from(inclusion.salt, 'hex'),
  }
  const path: LiabilityPath = {
    position: BigInt(inclusion.position),
    siblings: inclusion.path.map(({ hash: digest, sum }) => ({
      hash: Buffer.from(digest, 'hex'),
      sumMicros: micros(sum),
    })),
  }
  return isInTree(leaf, path, root)
}

/** What is no amount is no sum either: below zero, and refused by the tree. */
function micros(text: string): bigint {
  return parseAmount(text) ?? -1n
}
