import { type Address, type Hex, hashTypedData } from 'viem'

/** An account's further wallet, and the earlier wallet of that account which vouches for it. */
export interface WalletHandover {
  chainId: number
  /** The host of the service's public address. */
  site: string
  /** The URN of the human who owns both wallets, in form B. */
  owner: string
  from: Address
  to: Address
}

/**
 * The signatures of a hand-over by both wallets. The earlier one vouches for the new one. The new one agrees,
 * so that nobody who bound a wallet of their own to an account first can vouch for the wallet that its owner
 * binds later.
 */
export interface HandoverSignatures {
  earlier: Hex
  new: Hex
}

/**
 * Returns the EIP-712 message that both wallets sign so that payments to the new one count as the owner's
 * wish too.
 */
export function handoverTypedData({ chainId, ...message }: WalletHandover) {
  return {
    domain: { name: 'Market wallet hand-over', version: '1', chainId },
    types: {
      Handover: [
        { name: 'site', type: 'string' },
        { name: 'owner', type: 'string' },
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
      ],
    },
    primaryType: 'Handover',
    message,
  } as const
}

/** Returns the hash of the hand-over message that both wallets sign. */
export function handoverDigest(handover: WalletHandover): Hex {
  return hashTypedData(handoverTypedData(handover))
}
