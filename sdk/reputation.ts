import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'

/** A signed answer of POST /v1/reputation/queries. */
export interface ReputationAnswer {
  type: string
  subject_urn: string
  conditions: object
  result: boolean
  /** The evidence for the result. */
  supporting: {
    unweighted_count: number
    weighted_rating_avg: number
    weighted_dispute_loss_rate: number
    weighted_volume_usdc: string
  }
  as_of: string
  key_id: string
  signature: string
}

/**
 * Returns whether the service gave exactly this answer, checked offline against keys kept from
 * /v1/config/public. A reader of an answer must also check that its subject, conditions and `as_of` are the
 * ones that matter to them.
 */
export async function verifyReputationAnswer(
  { key_id: keyId, signature, ...document }: ReputationAnswer,
  keys: readonly PublicKeyJwk[],
): Promise<boolean> {
  if (document.type !== 'market:reputation-answer:1' || !signature.startsWith('ed25519:')) return false
  const signed = { keyId, signature: signature.slice('ed25519:'.length) }
  return verifyDocument(document, signed, keys, { purpose: 'reputation', at: document.as_of })
}
