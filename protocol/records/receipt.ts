import { z } from 'zod'
import { addressText, bytesText, hashText } from '../encoding/hex.ts'

/**
 * A party's signature of the distribution (`settlement.ts`): `refunded` and `seller_net` of the receipt's
 * payment.
 */
const settlementApproval = z.looseObject({
  by: z.enum(['payer', 'payee']),
  wallet: addressText,
  /** The seller's wallet that the signature names, zero for none yet. Missing in a signature of version 1. */
  payee: addressText.optional(),
  /** When the signature expires (unix seconds). */
  valid_before: z.int().min(0),
  signature: bytesText,
})

/** The evidence that the service's facilitator was given that the distribution was wanted. */
const settlementEvidence = z.looseObject({
  approvals: z.array(settlementApproval),
  /**
   * A signed verdict: the key, the signature, and the canonical JSON that it covers. A public receipt leaves
   * out the JSON: its grounds cite what the parties wrote to each other. The parties can read it in the
   * dispute.
   */
  verdict: z.looseObject({ document: z.string().optional(), key_id: z.string(), signature: z.string() }).optional(),
  /** A window for objections that elapsed: the least time since the payment. It is a bound, and no proof. */
  elapsed_seconds: z.int().min(0).optional(),
})

const amount = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)

/**
 * A final receipt in the signed form (spec 2.10): what was paid, to whom, and its evidence on chain. Amounts
 * are wire amounts and sum: price = refunded + seller_net + market_fee. Addresses are checksummed. A reader
 * keeps unknown members: the signature covers the document as it was sent.
 */
export const receiptDocument = z.looseObject({
  receipt_urn: z.string(),
  order_urn: z.string(),
  escrow_mode: z.enum(['custodied', 'contract']),
  /** eip155:<chain id> */
  network: z.string(),
  token: addressText,
  /** The escrow contract, or the hot wallet. */
  recipient: addressText,
  payer: addressText,
  /** The seller's wallet that the hold was pinned to; null in custodied mode. */
  payee: addressText.nullable(),
  price: amount,
  refunded: amount,
  seller_net: amount,
  market_fee: amount,
  /**
   * The fee's rate in hundredths of a percent: market_fee = floor(fee_bps × (price − refunded) / 10000).
   * Receipts of earlier versions have none.
   */
  fee_bps: z.int().min(0).max(10_000).optional(),
  /** The EIP-3009 nonce of the payment: with the payer, it identifies the payment on chain. */
  deposit_nonce: hashText,
  /** The hold in the contract; null in custodied mode. */
  hold_id: hashText.nullable(),
  /** Contract mode: the transaction that released the hold. Custodied mode: the payment's transaction. */
  settlement_ref: hashText,
  /** SHA-256, hex: of the ask's description as bought, of the order request, of the delivered output. */
  spec_hash: z.string(),
  /** SHA-256, hex, of each agreed change of scope, in order. Receipts of earlier versions have none. */
  amendments: z.array(z.string()).optional(),
  input_hash: z.string(),
  output_hash: z.string().nullable(),
  /** Who, besides the parties, may read this. Receipts of earlier versions have none. */
  privacy_mode: z.enum(['stub', 'public', 'private']).optional(),
  disputed: z.boolean(),
  /** The verdict that stands, if the order was disputed and decided. */
  verdict_urn: z.string().optional(),
  /** How the dispute ended: by that verdict, or by a settlement, a party that gave in, or the chain. */
  ended_by: z.enum(['verdict', 'settlement', 'concession', 'release', 'chain']).optional(),
  /** Absent where a party ended the hold on chain by itself, and in receipts of earlier versions. */
  settlement: settlementEvidence.optional(),
  finalized_at: z.iso.datetime(),
})

export type ReceiptDocument = z.infer<typeof receiptDocument>

/** A published receipt: the document, and the service's signature over its canonical JSON. */
export const signedReceipt = z.object({
  document: receiptDocument,
  key_id: z.string(),
  signature: z.string(),
})

export type SignedReceipt = z.infer<typeof signedReceipt>
