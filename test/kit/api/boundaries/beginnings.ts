import type { DisputeState } from '../../../../api/platform/db/generated/tables.ts'
import { createBid } from '../../../../api/trading/bids/create.ts'
import { createQuote } from '../../../../api/trading/bids/internal/quote.ts'
import { newTrade } from '../payments/escrow/world.ts'
import { acceptAsBuyer } from '../trading/acceptAsBuyer.ts'
import { appeal, feeEvent } from '../trading/disputes/appeals.ts'
import { deliver, disputeIn, paidTrade, rejectedTrade } from '../trading/disputes/world.ts'
import type { Scene } from './scene.ts'

// What acts begin with, made by the verbs.

export const nothing = async () => {}
export const placed = (scene: Scene) => newTrade(scene, 'custodied', { payer: 'wallet' })
export const paid = (scene: Scene) => paidTrade(scene, 'custodied')
export const delivered = async (scene: Scene) => {
  const trade = await paid(scene)
  await deliver(scene, trade)
  return trade
}
export const rejected = (scene: Scene) => rejectedTrade(scene, 'custodied')
export const final = async (scene: Scene) => {
  const trade = await delivered(scene)
  await acceptAsBuyer(scene.tx, scene.settings, trade.orderId)
  return trade
}
export const disputed = (state: DisputeState) => (scene: Scene) => disputeIn(scene, 'custodied', state)
/** A verdict that the buyer appeals, whose fee is not paid yet. */
export const appealed = async (scene: Scene) => {
  const trade = await disputed('decided')(scene)
  return { trade, fee: await appeal(scene, trade, 'buyer') }
}
export const heard = async (scene: Scene) => {
  const { trade, fee } = await appealed(scene)
  await scene.settle(feeEvent(fee, trade.payer))
  return trade
}
export const quoted = async (scene: Scene) => {
  const { buyer, seller } = await newTrade(scene, 'custodied')
  const wish = { title: 'Index', description: 'Of a book.', max_price: 50_000_000n }
  const bid = await createBid(scene.tx, buyer.call, wish)
  const quote = await createQuote(scene.tx, seller.call, { bid_urn: bid.id, price: 40_000_000n })
  return { buyer, seller, bidId: bid.id, quoteId: quote.id }
}
