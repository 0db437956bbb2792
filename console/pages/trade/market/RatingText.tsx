import type { PageItem } from '../../../../sdk/market.ts'

type Seller = PageItem<'searchAsks'>['seller']

/** The mean rating of a seller, and how many settled orders its record has. */
export function RatingText({ seller: { unweighted_count: count, weighted_rating_avg: mean } }: { seller: Seller }) {
  if (count === 0) return <span className="muted">no orders yet</span>
  const orders = `${count} ${count === 1 ? 'order' : 'orders'}`
  if (mean === 0) return <span className="muted">not rated, {orders}</span>
  return (
    <>
      <span aria-hidden="true">★ </span>
      {mean.toFixed(1)} <span className="muted">of 5, {orders}</span>
    </>
  )
}

/** What part of a seller's completed orders it lost in disputes, by weight. */
export function DisputesText({ seller }: { seller: Seller }) {
  if (seller.unweighted_count === 0) return <span className="muted">–</span>
  const lost = seller.weighted_dispute_loss_rate
  return lost === 0 ? <>none lost</> : <>{(lost * 100).toFixed(1)} % lost</>
}
