import type { Address } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { SignedAuthorization } from '../../protocol/payments/authorization.ts'
import { createMarket } from '../../sdk/market.ts'
import { ApiProblem } from '../../sdk/problem.ts'
import { balanceOf } from '../kit/chain/custody.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { claimableOf } from './onchain.ts'
import {
  accept,
  deliver,
  fund,
  type Mode,
  type Parties,
  type Placed,
  place,
  sign,
  type Trader,
  untilOrder,
  untilSettled,
  untilThere,
} from './trading.ts'

// What honest and other parties do, in several steps at once.

/** What the faucet fills an account up to. */
export const FAUCET_MICROS = 1_000_000_000_000n

/** Where the payer of an order sends the money. */
export function recipientOf({ chain }: Stack, mode: Mode): Address {
  return mode === 'contract' ? chain.escrow : chain.accounts.hotWallet.address
}

/** Orders and pays. */
export async function placeAndFund(stack: Stack, parties: Parties, mode: Mode): Promise<Placed> {
  const placed = await place(parties, { mode })
  await fund(parties.buyer, placed.urn, await sign(stack, placed.offer, parties.buyer.account))
  return placed
}

/** Orders, pays, and waits until the chain has the money. */
export async function fundedOrder(stack: Stack, parties: Parties, mode: Mode): Promise<Placed> {
  const placed = await placeAndFund(stack, parties, mode)
  await untilOrder(parties.buyer, placed.urn, 'funded')
  return placed
}

/** As fundedOrder, up to the delivery. */
export async function deliveredOrder(stack: Stack, parties: Parties, mode: Mode): Promise<Placed> {
  const placed = await placeAndFund(stack, parties, mode)
  await deliver(parties.seller, await untilOrder(parties.buyer, placed.urn, 'funded'))
  return placed
}

/** The rest of a trade whose order is funded, or about to be. Throws unless the seller gets the money. */
export async function completes({ buyer, seller }: Parties, urn: string): Promise<void> {
  await deliver(seller, await untilOrder(buyer, urn, 'funded'))
  await accept(buyer, urn)
  const { state } = await untilSettled(buyer, urn)
  if (state !== 'final') throw new Error(`order ${urn} ended as ${state}`)
}

/** A key with USDC and gas, and no account. */
export async function richAccount({ client }: Trader): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await client.call('requestSandboxFunds', { body: { address: account.address } })
  return account
}

/** Hands in another payment until the order takes one: when it knows that the one before will never come. */
export async function presentUntilTaken(trader: Trader, urn: string, signed: SignedAuthorization): Promise<void> {
  const present = () => refusal(fund(trader, urn, signed))
  await untilThere('another payment is taken', present, (refused) => refused === undefined)
}

/** Hands in a payment as an x402 client does, at the fund call. */
export function presentX402({ client }: Trader, { urn, offer }: Placed, signed: SignedAuthorization) {
  const { signature, value, validAfter, validBefore, ...members } = signed
  const times = { validAfter: validAfter.toString(), validBefore: validBefore.toString() }
  const payment = {
    x402Version: 2,
    accepted: { scheme: 'exact', network: offer.network, asset: offer.token, extra: { orderUrn: urn } },
    payload: { authorization: { ...members, ...times, value: value.toString() }, signature },
  }
  const headers = { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }
  return client.call('fundOrder', { params: { urn }, body: {}, headers })
}

/** Another agent of the same human, with the same key. */
export async function anotherAgent({ baseUrl }: Stack, { human, account }: Trader): Promise<Trader> {
  const { body: me } = await human.call('getMe', {})
  const { body: agent } = await human.call('createAgent', {
    body: { owner_urn: me.owner_urn, display_name: 'Another' },
  })
  const { body: token } = await human.call('mintToken', {
    body: { owner_urn: agent.urn, scopes: ['read', 'transact', 'withdraw'] },
  })
  const client = createMarket({ baseUrl, token: token.secret })
  return { agentId: agent.urn.body, token: token.secret, human, client, older: client, account }
}

/** What an account has, in the wallet and in the escrow. */
export async function wealthOf(stack: Stack, account: Address): Promise<bigint> {
  return (await balanceOf(stack.chain, account)) + (await claimableOf(stack, account))
}

/** Why a call was refused; undefined when it was not. */
export async function refusal(call: Promise<unknown>): Promise<{ status: number; type: string } | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof ApiProblem) return { status: error.status, type: error.type.replace('market:error:', '') }
    throw error
  }
}
