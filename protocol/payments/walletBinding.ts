import type { Hex } from 'viem'
import { z } from 'zod'

/** The EIP-4361 message by which an owner bound a wallet to an account, and the wallet's signature. */
export const walletBinding = z.strictObject({
  message: z.string(),
  signature: z.custom<Hex>((text) => /^0x[0-9a-fA-F]*$/.test(String(text)), 'not hex'),
})

export type WalletBinding = z.output<typeof walletBinding>
