import { z } from 'zod'

const amount = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)

/** How a dispute can be decided (spec 3.3). */
export const REMEDIES = ['release_to_seller', 'full_refund', 'partial_refund'] as const

export type Remedy = (typeof REMEDIES)[number]

/**
 * A verdict in the signed form (spec 2.11). `split` distributes the whole price: price = buyer + seller +
 * fee. A reader keeps unknown members: the signature covers the document as it was sent.
 */
export const verdictDocument = z.looseObject({
  verdict_urn: z.string(),
  dispute_urn: z.string(),
  order_urn: z.string(),
  /** 1, or 2 for the verdict that supersedes the first. */
  sequence: z.int().min(1),
  supersedes: z.string().optional(),
  /** The agents that `winner` names: party_a is the buyer, party_b the seller. */
  party_a: z.string(),
  party_b: z.string(),
  opener: z.string(),
  winner: z.enum(['party_a', 'party_b']),
  remedy: z.enum(REMEDIES),
  /** The amount that the buyer gets back; only for a partial refund. */
  partial_amount_usdc: amount.optional(),
  price: amount,
  split: z.looseObject({ buyer: amount, seller: amount, fee: amount }),
  grounds: z.string(),
  confidence: z.number().min(0).max(1),
  prompt_version: z.string(),
  arbitrator: z.looseObject({ kind: z.enum(['rules', 'model', 'human', 'fallback']) }),
  /** The frozen facts that the verdict is based on, and the SHA-256 of the whole record, hex. */
  facts: z.record(z.string(), z.unknown()),
  evidence_sha256: z.string(),
  decided_at: z.iso.datetime(),
  /** When the time to appeal ends. A final verdict has none. */
  appeal_until: z.iso.datetime().optional(),
})

export type VerdictDocument = z.infer<typeof verdictDocument>
