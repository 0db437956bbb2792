import { expect } from 'chai'
import { type Address, createPublicClient, type Hex, http } from 'viem'
import { type History, readHistory } from '../../audit/history.ts'
import { type PayoutLeg, payoutNonce } from '../../protocol/payments/nonces.ts'
import { orderKey } from '../../protocol/payments/terms.ts'
import type { Stack } from '../kit/stack/stack.ts'
import { auditFindings, untilBooksMatch } from './books.ts'
import type { Scene } from './faultStack.ts'
import { type Parties, type Placed, PRICE_MICROS, SELLER_NET_MICROS, untilThere } from './trading.ts'

/** How often the chain moved an order's money: in, out to the seller, and back to the buyer. */
interface Movements {
  paidIn: number
  paidOut: number
  refunded: number
}

const PAID_OUT: Movements = { paidIn: 1, paidOut: 1, refunded: 0 }
const REFUNDED: Movements = { paidIn: 1, paidOut: 0, refunded: 1 }

/**
 * As expectMovedOnce, and proves that the ledger mirrors the chain. The audit, which reads each receipt, is
 * for the end.
 */
export async function expectSettledOnce(scene: Scene): Promise<void> {
  await expectMovedOnce(scene)
  await untilBooksMatch(scene.stack)
}

/**
 * Proves from the chain's logs that the trades of two traders, and nothing else since they began, were paid
 * in once and distributed once.
 */
export async function expectMovedOnce(scene: Scene): Promise<void> {
  const { stack, parties, paidOut, refunded, unreceipted } = scene
  const history = await chainHistory(scene)
  const trades = [...paidOut, ...refunded, ...unreceipted]
  const seen = trades.map((trade) => [trade.urn, movementsOf(stack, parties, history, trade)] as const)
  const expected = trades.map(({ urn }) => [urn, refunded.some((trade) => trade.urn === urn) ? REFUNDED : PAID_OUT])
  expect(Object.fromEntries(seen)).to.deep.equal(Object.fromEntries(expected))
  expect(totalMovements(stack, history)).to.deep.equal({ in: trades.length, out: trades.length })
}

/** Proves that an auditor with the signed receipts of all trades that were paid out finds nothing. */
export async function expectCleanAudit({ stack, parties, paidOut }: Scene): Promise<void> {
  const orderUrns = paidOut.map(({ urn }) => urn)
  expect(await auditFindings(stack, parties.buyer, orderUrns)).to.deep.equal([])
}

/** Waits until the chain has distributed all that was paid in. */
export async function untilAllDistributed(scene: Scene): Promise<void> {
  const totals = async () => totalMovements(scene.stack, await chainHistory(scene))
  await untilThere('all is distributed', totals, (total) => total.in === total.out)
}

/** Everything the chain says of the escrow and the hot wallet since the traders began. */
export async function chainHistory({
  stack: { rpcUrl, chain },
  fromBlock,
}: Pick<Scene, 'stack' | 'fromBlock'>): Promise<History> {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const toBlock = await client.getBlockNumber({ cacheTime: 0 })
  const hotWallet = chain.accounts.hotWallet.address
  return readHistory(client, { ...chain, hotWallet, fromBlock, toBlock })
}

/** How often money moved in and out, counted over all owners. */
export function totalMovements({ chain }: Stack, { escrowEvents, transfers }: History) {
  const hotWallet = chain.accounts.hotWallet.address
  const named = (...names: string[]) => escrowEvents.filter(({ eventName }) => names.includes(eventName)).length
  return {
    in: named('Funded') + transfers.filter(({ to }) => to === hotWallet).length,
    out: named('Released', 'Reclaimed') + transfers.filter(({ from }) => from === hotWallet).length,
  }
}

/** How often the money of one trade moved. */
export function movementsOf(stack: Stack, parties: Parties, history: History, trade: Placed): Movements {
  return trade.offer.escrow_mode === 'contract'
    ? holdMovements(parties, history, trade)
    : custodyMovements(stack, parties, history, trade)
}

function holdMovements({ buyer, seller }: Parties, { escrowEvents }: History, { id }: Placed): Movements {
  const credits = escrowEvents.flatMap(({ eventName, args }) =>
    eventName === 'Released' && args.order === orderKey(id)
      ? args.recipients.map((account, leg) => ({ account, amountMicros: args.amounts[leg] }))
      : [],
  )
  const credited = (account: Address, micros: bigint) =>
    credits.filter((credit) => credit.account === account && credit.amountMicros === micros).length
  return {
    paidIn: escrowEvents.filter(({ eventName, args }) => eventName === 'Funded' && args.order === orderKey(id)).length,
    paidOut: credited(seller.account.address, SELLER_NET_MICROS),
    refunded: credited(buyer.account.address, PRICE_MICROS),
  }
}

function custodyMovements({ chain }: Stack, parties: Parties, { transfers }: History, { offer }: Placed): Movements {
  const hotWallet = chain.accounts.hotWallet.address
  const [buyer, seller] = [parties.buyer.account.address, parties.seller.account.address]
  const payout = (leg: PayoutLeg) => payoutNonce({ ...chain, hotWallet }, { from: buyer, nonce: offer.nonce }, leg)
  const transferred = (from: Address, to: Address, nonce: Hex, micros: bigint) =>
    transfers.filter(
      (transfer) =>
        transfer.from === from &&
        transfer.to === to &&
        transfer.authorizationNonce === nonce &&
        transfer.amountMicros === micros,
    ).length
  return {
    paidIn: transferred(buyer, hotWallet, offer.nonce, PRICE_MICROS),
    paidOut: transferred(hotWallet, seller, payout('payee'), SELLER_NET_MICROS),
    refunded: transferred(hotWallet, buyer, payout('payer'), PRICE_MICROS),
  }
}
