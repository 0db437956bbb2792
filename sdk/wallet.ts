import type { Address, Hex } from 'viem'
import { challengeWallet, verifyWallet } from '../api/identity/accounts/routes.ts'
import type { Client } from './client.ts'

/** Signs a message for an address: a viem account or wallet client. */
export interface MessageSigner {
  address: Address
  signMessage: (input: { message: string }) => Promise<Hex>
}

/**
 * Proves control of a wallet and binds it to the client's account (spec 4.2). The first one becomes the payout wallet.
 */
export async function bindWallet(client: Client, signer: MessageSigner) {
  const { body } = await client.call(challengeWallet, { body: { address: signer.address } })
  const signature = await signer.signMessage({ message: body.challenge })
  return (await client.call(verifyWallet, { body: { address: signer.address, signature } })).body
}
