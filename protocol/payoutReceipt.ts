import { type Address, type Hex, isAddress, isHex } from 'viem'
import { z } from 'zod'

const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'must be an address')
const hash = z.custom<Hex>((value) => isHex(value) && value.length === 66, 'must be 0x and 64 hex digits')
const amount = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)

/** What the service says of a payout that it made out of custody, as an owner keeps it: which deposit it paid out, and where that can be seen. */
export const payoutReceipt = z.object({
  payout_urn: z.object({ prefix: z.string(), body: z.string() }),
  /** payee: a seller's net. payer: a refund to whoever paid. */
  leg: z.enum(['payee', 'payer']),
  amount,
  from: address,
  to: address,
  /** Of the payout's authorization: follows from the deposit and the leg. */
  nonce: hash,
  deposit: z.object({ from: address, nonce: hash, amount, tx_hash: hash }),
  tx_hash: hash,
  block_number: z.int(),
  block_hash: hash,
  log_index: z.int(),
})

export type PayoutReceipt = z.infer<typeof payoutReceipt>
