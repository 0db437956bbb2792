import type { Address, Hex } from 'viem'
import { type BindingFault, bindingFault } from '../protocol/payments/bindingFault.ts'
import { handoverTypedData } from '../protocol/payments/walletHandover.ts'
import type { TypedDataSigner } from './authorization.ts'
import type { Market } from './market.ts'

/** Signs a message for an address: a viem account or wallet client. */
export interface MessageSigner {
  address: Address
  signMessage: (input: { message: string }) => Promise<Hex>
}

/**
 * The market that a wallet is bound at, from its owner's own knowledge: the host of its address, and its
 * chain.
 */
export interface BindingPlace {
  domain: string
  chainId: number
}

/**
 * The service asked for a signature over something other than a binding of this wallet. Nothing was signed.
 */
export class BindingRefused extends Error {
  readonly fault: BindingFault

  constructor(fault: BindingFault) {
    super(`the text that is to be signed is refused (${fault})`)
    this.name = 'BindingRefused'
    this.fault = fault
  }
}

/**
 * Returns the text that a wallet is to sign, for a signer of any kind. Throws a BindingRefused unless it is
 * an EIP-4361 message of this wallet, and for this market, if one is given: a text for another site would
 * sign the wallet in there.
 */
export function bindingToSign(challenge: string, wallet: Address, place?: BindingPlace): string {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const fault = bindingFault(challenge, { wallet, chainId: place?.chainId, domain: place?.domain, nowSeconds })
  if (fault) throw new BindingRefused(fault)
  return challenge
}

/**
 * Proves control of a wallet and binds it to the market's account (spec 4.2), after checking the text
 * (`bindingToSign`). The first bound wallet becomes the payout wallet.
 */
export async function bindWallet(market: Pick<Market, 'call'>, signer: MessageSigner, place?: BindingPlace) {
  const { body } = await market.call('challengeWallet', { body: { address: signer.address } })
  const message = bindingToSign(body.challenge, signer.address, place)
  const signature = await signer.signMessage({ message })
  return (await market.call('verifyWallet', { body: { address: signer.address, signature } })).body
}

/**
 * The market at which a wallet is handed over, and the human who owns both wallets, by their URN in form B.
 */
export interface HandoverPlace extends BindingPlace {
  owner: string
}

/**
 * Has an earlier wallet vouch for a bound one, and the bound one agree: both sign. Until then, if an account
 * has been paid to another wallet before, payouts to the new one have no proof and may take longer.
 */
export async function handOverWallet(
  market: Pick<Market, 'call'>,
  urn: string,
  wallets: Record<'earlier' | 'new', TypedDataSigner>,
  { owner, domain, chainId }: HandoverPlace,
) {
  const [from, to] = [wallets.earlier.address, wallets.new.address]
  const data = handoverTypedData({ chainId, site: domain, owner, from, to })
  const signatures = {
    earlier: await wallets.earlier.signTypedData(data),
    new: await wallets.new.signTypedData(data),
  }
  return (await market.call('handOverWallet', { params: { urn }, body: { from, signatures } })).body
}
