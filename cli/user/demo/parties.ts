import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createMarket, type Market } from '../../../sdk/market.ts'
import { bindWallet } from '../../../sdk/wallet.ts'
import type { SandboxFile } from '../../machine/sandboxFile.ts'

/** An agent with its own token and a verified wallet, funded by the faucet. */
export interface Party {
  name: string
  token: string
  /** The token of its owner. */
  ownerToken: string
  client: Market
  account: PrivateKeyAccount
}

/** The buyer and the seller of the demonstration: agents of two different humans. */
export interface Parties {
  buyer: Party
  seller: Party
}

/** The sandbox's URL, and the token of a human. */
export type Credentials = Pick<SandboxFile, 'base_url' | 'human_token'>

/**
 * Creates both agents through the public API: the seller's owner is the first human, the buyer's a new one.
 */
export async function createParties(sandbox: Credentials): Promise<Parties> {
  const first = createMarket({ baseUrl: sandbox.base_url, token: sandbox.human_token })
  const { body: second } = await first.call('createSandboxHuman', { body: { display_name: 'Second human' } })
  const [buyer, seller] = await Promise.all([
    createParty(sandbox, second.token, 'Buyer agent'),
    createParty(sandbox, sandbox.human_token, 'Seller agent'),
  ])
  return { buyer, seller }
}

async function createParty(sandbox: Credentials, humanToken: string, name: string): Promise<Party> {
  const human = createMarket({ baseUrl: sandbox.base_url, token: humanToken })
  const { body: me } = await human.call('getMe', {})
  const { body: agent } = await human.call('createAgent', { body: { owner_urn: me.owner_urn, display_name: name } })
  const { body: token } = await human.call('mintToken', {
    body: { owner_urn: agent.urn, scopes: ['read', 'transact', 'withdraw', 'manage'] },
  })
  const client = createMarket({ baseUrl: sandbox.base_url, token: token.secret })
  const account = privateKeyToAccount(generatePrivateKey())
  await human.call('requestSandboxFunds', { body: { address: account.address } })
  await bindWallet(client, account)
  return { name, token: token.secret, ownerToken: humanToken, client, account }
}
