import { market } from '../data/market.ts'
import { t } from '../texts/texts.ts'
import { WalletError } from './provider.ts'
import { type ConnectedWallet, connect, signMessage } from './wallets.ts'

/**
 * Returns the text by which a wallet is bound to an agent, or to the person without one, for it to sign
 * (EIP-4361). Throws a BindingRefused where the service asks for anything else: a text for another site would
 * sign the wallet in there.
 */
export async function bindingText(
  { address }: ConnectedWallet,
  chainId: number,
  agent: string | undefined,
): Promise<string> {
  const { body } = await market.call('challengeWallet', { ...(agent ? { agent } : {}), body: { address } })
  const { bindingToSign } = await import('../../sdk/wallet.ts')
  return bindingToSign(body.challenge, address, { domain: location.host, chainId })
}

/**
 * Has a wallet sign the text of its binding, and binds it. Throws a WalletError if it is on another account
 * by now.
 */
export async function bindBy(wallet: ConnectedWallet, text: string, agent: string | undefined): Promise<void> {
  const { address } = await connect(wallet.provider)
  if (address !== wallet.address)
    throw new WalletError(
      'no_account',
      t('Your wallet is on {address} now. Cancel, and connect it again.', { address }),
    )
  const signature = await signMessage(wallet, text)
  await market.call('verifyWallet', { ...(agent ? { agent } : {}), body: { address, signature } })
}

/** Returns whether a wallet is bound to an agent of the person, or to the person. */
export async function isBoundTo({ address }: ConnectedWallet, agent: string): Promise<boolean> {
  for await (const wallet of market.pages('listWallets', {})) {
    const { prefix, body } = wallet.account_urn
    if (wallet.address === address && (prefix === 'human' || body === agent.split(':').at(-1))) return true
  }
  return false
}
