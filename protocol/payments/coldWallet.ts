import type { Address } from 'viem'

/** The cold wallet of a proof of control, and the custody it belongs to. */
export interface ColdWalletStatement {
  chainId: number
  hotWallet: Address
  coldWallet: Address
}

/**
 * Returns the text that a cold wallet signs (EIP-191, or ERC-1271 for a contract) to prove that it belongs to
 * the custody of a hot wallet. Addresses are checksummed. The text names chain and purpose, so that the
 * signature is of no other use.
 */
export function coldWalletMessage({ chainId, hotWallet, coldWallet }: ColdWalletStatement): string {
  return [
    'This wallet holds funds in custody of a marketplace.',
    '',
    'Purpose: market:cold-wallet',
    `Network: eip155:${chainId}`,
    `Hot wallet: ${hotWallet}`,
    `Cold wallet: ${coldWallet}`,
  ].join('\n')
}
