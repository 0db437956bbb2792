import { z } from 'zod'
import { addressText, hashText } from '../encoding/hex.ts'

const amount = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)
const hex32 = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * Custody's liabilities at a block, in the signed form: the root of the tree of all balances, and the wallets
 * that cover it.
 */
export const liabilitiesDocument = z.looseObject({
  type: z.literal('market:liabilities'),
  /** eip155:<chain id> */
  network: z.string(),
  token: addressText,
  /** The wallets whose balances at the block cover the total. Checksummed. */
  wallets: z.array(addressText),
  block_number: z.int().min(0),
  block_hash: hashText,
  /** The root's sum: everything owed, without the service's own fees. */
  total: amount,
  /** The root's hash, and its level above the leaves. */
  root: hex32,
  height: z.int().min(0).max(40),
  created_at: z.iso.datetime(),
})

export type LiabilitiesDocument = z.infer<typeof liabilitiesDocument>

/** The published document: with the service's Ed25519 signature over its canonical JSON (RFC 8785). */
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
  /** The leaf's position, from 0. */
  position: z.int().min(0),
  /** The other child of each node on the way up, the leaf's own neighbour first. */
  path: z.array(z.object({ hash: hex32, sum: amount })),
})

export type LiabilityInclusion = z.infer<typeof liabilityInclusion>
