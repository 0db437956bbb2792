import { type Address, encodeFunctionData } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { escrowAbi } from '../../../protocol/abi/escrow.ts'
import { tokenAbi } from '../../../protocol/abi/token.ts'
import { termsHash } from '../../../protocol/terms.ts'
import { EXPIRY_SECONDS, FEE_MICROS, type GasMarket, type Order, PRICE_MICROS, startGasMarket } from './market.ts'

const TEN = 10

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

// An account "with balances" has credit standing, and has tokens; one that "withdrew all" had credit before; a new one never
// had either. The escrow holds others' money all along, as in a market: what it owes together never begins at nothing.
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
    ...(await batches(market, payer, payee, fees)),
    ...(await reclaim(market, payer, held)),
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
  const adopt = { abi: escrowAbi, functionName: 'adopt', args: [adopted.terms, adopted.payer.address] } as const
  const args = [stray.payer.address, termsHash(market.chain, stray.terms), PRICE_MICROS] as const
  const returnStray = { abi: escrowAbi, functionName: 'returnStray', args } as const
  return {
    adopt: await market.send(market.resolver, escrow, encodeFunctionData(adopt)),
    returnStray: await market.send(market.resolver, escrow, encodeFunctionData(returnStray)),
  }
}

/** Ten payments at once: of ten buyers to ten sellers, with nothing in common but the service, and of one to one. */
async function batches(
  market: GasMarket,
  buyer: PrivateKeyAccount,
  seller: PrivateKeyAccount,
  fees: PrivateKeyAccount,
) {
  const places = Array.from({ length: TEN }, (_, index) => index)
  const buyers = await inTurn(places, (index) => market.holder(`buyer ${index}`))
  const sellers = await inTurn(places, (index) => market.holder(`seller ${index}`))
  const strangers = () => buyers.map((one, index) => market.order(one, sellers[index]?.address ?? '0x', fees.address))
  const pair = () => places.map(() => market.order(buyer, seller.address, fees.address))
  const [first, second, third] = [strangers(), strangers(), strangers()]
  const [fourth, fifth] = [pair(), pair()]
  await market.fundBatch(first)
  await releaseBatch(market, first)
  const withCredit = {
    'fundBatch of ten strangers': await market.fundBatch(second),
    'releaseBatch of ten strangers': await releaseBatch(market, second),
  }
  await market.fundBatch(third)
  for (const account of sellers) await withdraw(market, account)
  const withoutCredit = { 'releaseBatch of ten strangers that withdrew all': await releaseBatch(market, third) }
  await market.fundBatch(fourth)
  await releaseBatch(market, fourth)
  return {
    ...withCredit,
    ...withoutCredit,
    'fundBatch of ten of one pair': await market.fundBatch(fifth),
    'releaseBatch of ten of one pair': await releaseBatch(market, fifth),
    'ten payments, seller paid': await tenPayments(market, pair, [seller]),
    'ten payments, both paid': await tenPayments(market, pair, [seller, fees]),
  }
}

/**
 * Ten payments of one pair, funded, released, and withdrawn by those who are paid: as whole transactions, added up. Whoever is
 * paid was paid as much before, and took it all out, so that its first credit finds it empty, as each time.
 */
async function tenPayments(market: GasMarket, orders: () => Order[], paid: readonly PrivateKeyAccount[]) {
  for (const account of paid) await withdrawIfAny(market, account)
  const ten = orders()
  const gas = [await market.fundBatch(ten), await releaseBatch(market, ten)]
  for (const account of paid) gas.push(await withdraw(market, account))
  return gas.reduce((sum, one) => sum + one, 0)
}

async function reclaim(market: GasMarket, payer: PrivateKeyAccount, held: () => Promise<Order>) {
  const { terms } = await held()
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

function releaseBatch(market: GasMarket, orders: readonly Order[]): Promise<number> {
  const items = orders.map(({ terms, payer }) => {
    const legs = accepted(terms)
    return {
      terms,
      payer: payer.address,
      recipients: legs.map(([to]) => to),
      amounts: legs.map(([, amount]) => amount),
    }
  })
  const data = encodeFunctionData({ abi: escrowAbi, functionName: 'releaseBatch', args: [items] })
  return market.send(market.resolver, market.chain.escrow, data)
}

function accepted({ payee, feeRecipient }: Order['terms']): [Address, bigint][] {
  return [
    [payee, PRICE_MICROS - FEE_MICROS],
    [feeRecipient, FEE_MICROS],
  ]
}

async function inTurn<In, Out>(items: readonly In[], make: (item: In) => Promise<Out>): Promise<Out[]> {
  const made: Out[] = []
  for (const item of items) made.push(await make(item))
  return made
}
