import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { termsHash } from '../../protocol/payments/terms.ts'
import {
  EXPIRY_SECONDS,
  FEE_MICROS,
  type GasMarket,
  NOW_SECONDS,
  type Order,
  PRICE_MICROS,
  startGasMarket,
} from './market.ts'

const STRAY_DELAY_SECONDS = 4 * 86_400

/** The gas of whole transactions, as their receipts show it, by what they do. */
export type GasFigures = Awaited<ReturnType<typeof measure>>

/** Measures on a chain of its own. Every figure is the same in each run. */
export async function measureGas(): Promise<GasFigures> {
  const market = await startGasMarket()
  try {
    return await measure(market)
  } finally {
    await market.chain.stop()
  }
}

// An account "with balances" has credit standing, and has tokens; one that "withdrew all" had credit before;
// a new one never had either. The escrow holds others' money all along, as in a market: what it owes together
// never begins at nothing.
async function measure(market: GasMarket) {
  const payer = await market.holder('payer')
  const payee = await market.holder('payee')
  const fees = await market.holder('fees')
  const order = (to = payee.address, feeTo = fees.address) => market.order(payer, to, feeTo)
  const held = async (next = order()) => {
    await market.fund(next)
    return next
  }

  // Nobody is the first here whose figure is not said to be a first one's.
  await release(market, await held())
  await release(market, await held(), [[payer.address, PRICE_MICROS]])

  const newcomer = await market.party('newcomer')
  const expiring = await held()
  const newFees = (await market.party('new fees')).address
  return {
    ...(await plainTransfers(market, payer, payee.address)),
    fund: await market.fund(order()),
    fundWithReceive: await market.fundWithReceive(order()),
    'release to two with balances': await release(market, await held()),
    'release to two new': await release(market, await held(order(newcomer.address, newFees))),
    'release as a refund': await release(market, await held(), [[payer.address, PRICE_MICROS]]),
    'withdraw to a holder': await withdraw(market, payee),
    'withdraw to a new holder': await withdraw(market, newcomer),
    'release to two that withdrew all': await releaseToEmptied(market, await held(), [payee, fees]),
    ...(await endsByParties(market, payer, payee, held)),
    ...(await strays(market, order)),
    ...(await reclaim(market, payer, expiring)),
  }
}

async function plainTransfers(market: GasMarket, from: PrivateKeyAccount, holder: Address) {
  const transfer = (to: Address) => {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, PRICE_MICROS] })
    return market.send(from, market.chain.token, data)
  }
  const { address } = await market.party('first holding')
  return {
    'plain transfer to a holder': await transfer(holder),
    'plain transfer to a new holder': await transfer(address),
  }
}

async function releaseToEmptied(market: GasMarket, order: Order, accounts: readonly PrivateKeyAccount[]) {
  for (const account of accounts) await withdrawIfAny(market, account)
  return release(market, order)
}

async function endsByParties(
  market: GasMarket,
  payer: PrivateKeyAccount,
  payee: PrivateKeyAccount,
  held: () => Promise<Order>,
) {
  const { escrow } = market.chain
  const byPayer = encodeFunctionData({ abi: escrowAbi, functionName: 'releaseByPayer', args: [(await held()).terms] })
  const refund = { abi: escrowAbi, functionName: 'refundByPayee', args: [(await held()).terms, payer.address] } as const
  const to = encodeFunctionData({ abi: escrowAbi, functionName: 'withdrawTo', args: [payer.address] })
  const on = encodeFunctionData({ abi: escrowAbi, functionName: 'withdrawFor', args: [payer.address] })
  return {
    releaseByPayer: await market.send(payer, escrow, byPayer),
    refundByPayee: await market.send(payee, escrow, encodeFunctionData(refund)),
    withdrawTo: await market.send(payee, escrow, to),
    withdrawFor: await market.send(market.submitter, escrow, on),
  }
}

async function strays(market: GasMarket, order: () => Order) {
  const { escrow } = market.chain
  const adopted = order()
  const stray = order()
  await market.payDirectly(adopted)
  await market.payDirectly(stray)
  const adoption = [adopted.terms, adopted.payer.address] as const
  const returned = [stray.payer.address, termsHash(market.chain, stray.terms), PRICE_MICROS] as const
  const resolve = (data: Hex) => market.send(market.resolver, escrow, data)
  const announcements = {
    announceAdopt: await resolve(encodeFunctionData({ abi: escrowAbi, functionName: 'announceAdopt', args: adoption })),
    announceReturnStray: await resolve(
      encodeFunctionData({ abi: escrowAbi, functionName: 'announceReturnStray', args: returned }),
    ),
  }
  await market.chain.client.setNextBlockTimestamp({ timestamp: BigInt(NOW_SECONDS + 2 * STRAY_DELAY_SECONDS) })
  return {
    ...announcements,
    adopt: await resolve(encodeFunctionData({ abi: escrowAbi, functionName: 'adopt', args: adoption })),
    returnStray: await resolve(encodeFunctionData({ abi: escrowAbi, functionName: 'returnStray', args: returned })),
  }
}

async function reclaim(market: GasMarket, payer: PrivateKeyAccount, { terms }: Order) {
  await market.chain.client.setNextBlockTimestamp({ timestamp: BigInt(EXPIRY_SECONDS + 1) })
  const data = encodeFunctionData({ abi: escrowAbi, functionName: 'reclaim', args: [terms] })
  return { reclaim: await market.send(payer, market.chain.escrow, data) }
}

function withdraw(market: GasMarket, account: PrivateKeyAccount): Promise<number> {
  return market.send(account, market.chain.escrow, encodeFunctionData({ abi: escrowAbi, functionName: 'withdraw' }))
}

async function withdrawIfAny(market: GasMarket, account: PrivateKeyAccount): Promise<void> {
  const { escrow } = market.chain
  const call = { address: escrow, abi: escrowAbi, functionName: 'claimable', args: [account.address] } as const
  if ((await market.chain.client.readContract(call)) > 0n) await withdraw(market, account)
}

function release(market: GasMarket, { terms, payer }: Order, legs = accepted(terms)): Promise<number> {
  const [recipients, amounts] = [legs.map(([to]) => to), legs.map(([, amount]) => amount)]
  const args = [terms, payer.address, recipients, amounts] as const
  const data = encodeFunctionData({ abi: escrowAbi, functionName: 'release', args })
  return market.send(market.resolver, market.chain.escrow, data)
}

function accepted({ payee, feeRecipient }: Order['terms']): [Address, bigint][] {
  return [
    [payee, PRICE_MICROS - FEE_MICROS],
    [feeRecipient, FEE_MICROS],
  ]
}
