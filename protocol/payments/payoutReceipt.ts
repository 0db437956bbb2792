import { type Address, type Hex, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { walletBinding } from './walletBinding.ts'

const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'must be an address')
const hash = z.custom<Hex>((value) => isHex(value) && value.length === 66, 'must be 0x and 64 hex digits')
const amount = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)

/**
 * The service's receipt for a payout from custody, as an owner keeps it: the deposit that it paid out, and
 * its place on the chain.
 */
export const payoutReceipt = z.object({
  payout_urn: z.object({ prefix: z.string(), body: z.string() }),
  /** payee: a seller's net. payer: a refund to the payer. */
  leg: z.enum(['payee', 'payer']),
  amount,
  from: address,
  to: address,
  /** The nonce of the payout's authorization, derived from the deposit and the leg. */
  nonce: hash,
  deposit: z.object({ from: address, nonce: hash, amount, tx_hash: hash }),
  tx_hash: hash,
  block_number: z.int(),
  block_hash: hash,
  log_index: z.int(),
  /**
   * Only for a seller's net: the URNs of the order, and of the seller and owner that its payer signed to pay.
   */
  sale: z.object({ order_urn: z.string(), seller_urn: z.string(), owner_urn: z.string() }).optional(),
  /** Only for a seller's net: the seller's binding of the wallet that was paid. */
  binding: walletBinding.optional(),
})

export type PayoutReceipt = z.infer<typeof payoutReceipt>
