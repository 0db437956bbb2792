import { expect } from 'chai'
import type { Address } from 'viem'
import type { PaymentEvent } from '../../../../../../api/payments/chain/evidence.ts'
import { submitPayout } from '../../../../../../api/payments/payouts/internal/submit.ts'
import { acceptUndecided } from '../../../../../../api/trading/orders/work/accept.ts'
import { paymentEvent } from '../chainEvents.ts'
import { payoutsOf } from '../read.ts'
import { release } from '../release.ts'
import { newTrade, setState, type Trade, type TradeOptions, type World } from '../world.ts'

/** What a seller gets of the price. */
export const NET = 19_000_000n

interface Deposited {
  trade: Trade
  deposit: PaymentEvent
}

/** A custodied order whose price has come to the hot wallet. */
export async function funded(world: World, options: TradeOptions = {}): Promise<Deposited> {
  const trade = await newTrade(world, 'custodied', options)
  const deposit = paymentEvent(trade)
  await world.settle(deposit)
  return { trade, deposit }
}

/** The same, delivered, and accepted as time has run out. */
export async function accepted(world: World, options: TradeOptions = {}): Promise<Deposited> {
  const { trade, deposit } = await funded(world, options)
  await setState(world, trade, 'delivered')
  const due = { accept_by: new Date(0) }
  await world.db.updateTable('market.orders').set(due).where('id', '=', trade.orderId).execute()
  await world.run((tx) => acceptUndecided(tx, world.settings, trade.orderId))
  return { trade, deposit }
}

/** An order's hold is let go, so much of it to who paid. */
export function refund(world: World, { orderId }: Trade, refundMicros: bigint) {
  return world.run((tx) => release(tx, world.settings, orderId, { refundMicros }))
}

/** Asks for a payout on chain. Answers whether it was to be asked for. */
export function submit(world: World, payoutId: string): Promise<boolean> {
  return world.run((tx) => submitPayout(tx, world.settings, payoutId))
}

/** The payout of what somebody paid. Fails where there are none or several. */
export async function onlyPayout(world: World, payer: string) {
  const payouts = await payoutsOf(world, payer)
  expect(payouts).to.have.length(1)
  const [payout] = payouts
  if (!payout) throw new Error('no payout')
  return payout
}

export async function sellerWallet(world: World, { seller }: Trade): Promise<Address> {
  const { address } = await world.db
    .selectFrom('market.wallets')
    .select('address')
    .where('account_id', '=', seller.agentId)
    .executeTakeFirstOrThrow()
  return address as Address
}

/** Whom a seller's earnings are owed to. */
export function humanUrn({ seller }: Trade): string {
  return `market:human:${seller.humanId}`
}
