import { type Address, type Hex, isAddress, isHex } from 'viem'
import { z } from 'zod'

const amount = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)
const address = z
  .custom<Address>((value) => typeof value === 'string' && isAddress(value), 'must be a checksummed address')
  .meta({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' })
const hash = z
  .custom<Hex>((value) => isHex(value) && value.length === 66, 'must be 0x and 64 hex digits')
  .meta({ type: 'string', pattern: '^0x[0-9a-f]{64}$' })

/**
 * A final receipt as it is signed (spec 2.10): what was paid, to whom, and where on chain that can be seen.
 * Amounts are wire amounts and sum: price = refunded + seller_net + market_fee. Addresses are checksummed.
 */
export const receiptDocument = z.strictObject({
  receipt_urn: z.string(),
  order_urn: z.string(),
  escrow_mode: z.enum(['custodied', 'contract']),
  /** eip155:<chain id> */
  network: z.string(),
  token: address,
  /** The escrow contract, or the hot wallet. */
  recipient: address,
  payer: address,
  /** The seller's wallet the hold was pinned to; null in custodied mode. */
  payee: address.nullable(),
  price: amount,
  refunded: amount,
  seller_net: amount,
  market_fee: amount,
  /** The fee's rate in hundredths of a percent: market_fee = floor(fee_bps × (price − refunded) / 10000). Receipts of earlier versions have none. */
  fee_bps: z.int().min(0).max(10_000).optional(),
  /** The EIP-3009 nonce of the payment: with the payer, it names the payment on chain. */
  deposit_nonce: hash,
  /** The hold in the contract; null in custodied mode. */
  hold_id: hash.nullable(),
  /** Contract mode: the transaction that released the hold. Custodied mode: the payment's transaction. */
  settlement_ref: hash,
  /** SHA-256, hex: of the ask's description as bought, of the order request, of the delivered output. */
  spec_hash: z.string(),
  /** SHA-256, hex, of each change of scope that was agreed on, in that order. Receipts of earlier versions have none. */
  amendments: z.array(z.string()).optional(),
  input_hash: z.string(),
  output_hash: z.string().nullable(),
  /** Who besides the parties may read this. Receipts of earlier versions have none. */
  privacy_mode: z.enum(['stub', 'public', 'private']).optional(),
  disputed: z.boolean(),
  finalized_at: z.iso.datetime(),
})

export type ReceiptDocument = z.infer<typeof receiptDocument>

/** A receipt as it is published: the document, and the service's signature over its canonical JSON. */
export const signedReceipt = z.object({
  document: receiptDocument,
  key_id: z.string(),
  signature: z.string(),
})

export type SignedReceipt = z.infer<typeof signedReceipt>
