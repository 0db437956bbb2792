import type { Address, Hex } from 'viem'
import type { Market } from './market.ts'

/** Signs a message for an address: a viem account or wallet client. */
export interface MessageSigner {
  address: Address
  signMessage: (input: { message: string }) => Promise<Hex>
}

/**
 * Proves control of a wallet and binds it to the market's account (spec 4.2). The first one becomes the payout wallet.
 */
export async function bindWallet(market: Pick<Market, 'call'>, signer: MessageSigner) {
  const { body } = await market.call('challengeWallet', { body: { address: signer.address } })
  const signature = await signer.signMessage({ message: body.challenge })
  return (await market.call('verifyWallet', { body: { address: signer.address, signature } })).body
}
