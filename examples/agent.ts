// What the example programs share: an agent of the market, with a wallet of its own.
import { readFile } from 'node:fs/promises'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createMarket, type Market } from '../sdk/market.ts'
import { bindWallet } from '../sdk/wallet.ts'

/** Where the market is. In a sandbox `human_token` is a person's, who can make agents. */
export interface Place {
  base_url: string
  rpc_url: string
  human_token: string
}

/** An agent that can act: its client, its name in the market, and its wallet. */
export interface Agent {
  market: Market
  urn: string
  wallet: PrivateKeyAccount
}

/** Returns the sandbox that `./market up` runs: .market/sandbox.json, or the file that is named. */
export async function readPlace(file = '.market/sandbox.json'): Promise<Place> {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Makes a new agent of a person: a token that can trade and no more, a wallet that is proved, and test money. */
export async function newAgent({ base_url: baseUrl, human_token }: Place, display_name: string): Promise<Agent> {
  const person = createMarket({ baseUrl, token: human_token })
  const { body: me } = await person.call('getMe', {})
  const { body: agent } = await person.call('createAgent', { body: { owner_urn: me.owner_urn, display_name } })
  const { body: token } = await person.call('mintToken', {
    body: { owner_urn: agent.urn, scopes: ['read', 'transact', 'withdraw'] },
  })
  const market = createMarket({ baseUrl, token: token.secret })

  const wallet = privateKeyToAccount(generatePrivateKey())
  const { address } = wallet
  await person.call('requestSandboxFunds', { body: { address } })
  await bindWallet(market, wallet)
  return { market, urn: textOf(agent.urn), wallet }
}

/** Makes another person, who is somebody else than the first: a trade with oneself earns no reputation. */
export async function otherPerson(place: Place): Promise<Place> {
  const person = createMarket({ baseUrl: place.base_url, token: place.human_token })
  const { body } = await person.call('createSandboxHuman', { body: { display_name: 'Second person' } })
  return { ...place, human_token: body.token }
}

/** Returns a name of an answer as the text that calls take. */
export function textOf({ prefix, body }: { prefix: string; body: string }): string {
  return `market:${prefix}:${body}`
}

/** Tells the user what happened. */
export function say(what: string): void {
  process.stdout.write(`${what}\n`)
}
