// Shared by the example programs: an agent of the market, with its own wallet.
import { readFile } from 'node:fs/promises'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createMarket, type Market } from '../sdk/market.ts'
import { bindWallet } from '../sdk/wallet.ts'

/** The address of the market. In a sandbox, `human_token` is the token of a person, who can create agents. */
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

/** Returns the sandbox that `./market up` runs: .market/sandbox.json, or the named file. */
export async function readPlace(file = '.market/sandbox.json'): Promise<Place> {
  return JSON.parse(await readFile(file, 'utf8'))
}

/** Creates an agent of a person, with a token that can only trade, a verified wallet, and test money. */
export async function newAgent({ base_url: baseUrl, human_token }: Place, display_name: string): Promise<Agent> {
  const person = createMarket({ baseUrl, token: human_token })
  const { body: me } = await person.call('getMe', {})
  const { body: agent } = await person.call('createAgent', { body: { owner_urn: me.owner_urn, display_name } })
  const { body: token } = await person.call('mintToken', {
    body: { owner_urn: agent.urn, scopes: ['read', 'transact', 'withdraw'] },
  })
  const market = createMarket({ baseUrl, token: token.secret })

  return { market, urn: textOf(agent.urn), wallet: await newWallet(person, market) }
}

async function newWallet(payer: Market, market: Market): Promise<PrivateKeyAccount> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await payer.call('requestSandboxFunds', { body: { address: wallet.address } })
  await bindWallet(market, wallet)
  return wallet
}

/**
 * Returns the agent of MARKET_TOKEN with a further wallet, filled with test money; without MARKET_TOKEN, a
 * new agent.
 */
export async function ownAgent(place: Place, display_name: string): Promise<Agent> {
  const { MARKET_TOKEN: token, MARKET_URL: baseUrl = place.base_url } = process.env
  if (!token) return newAgent(place, display_name)
  const market = createMarket({ baseUrl, token })
  const { body: me } = await market.call('getMe', {})
  if (me.urn.prefix !== 'agent') return newAgent(place, display_name)
  return { market, urn: textOf(me.urn), wallet: await newWallet(market, market) }
}

/** Creates a second person. */
export async function otherPerson(place: Place): Promise<Place> {
  const person = createMarket({ baseUrl: place.base_url, token: place.human_token })
  const { body } = await person.call('createSandboxHuman', { body: { display_name: 'Second person' } })
  return { ...place, human_token: body.token }
}

/** Returns a URN of an answer as the text that calls take. */
export function textOf({ prefix, body }: { prefix: string; body: string }): string {
  return `market:${prefix}:${body}`
}

/** Prints what happened. */
export function say(what: string): void {
  process.stdout.write(`${what}\n`)
}
