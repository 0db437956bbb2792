import type { PageItem } from '../../../../sdk/market.ts'
import { t } from '../../../texts/texts.ts'
import { decimalText, percentText } from '../../../ui/values/format.ts'

type Seller = PageItem<'searchAsks'>['seller']

/** The mean rating of a seller, and how many settled orders its record has. */
export function RatingText({ seller: { unweighted_count: count, weighted_rating_avg: mean } }: { seller: Seller }) {
  if (count === 0) return <span className="muted">{t('no orders yet')}</span>
  if (mean === 0)
    return <span className="muted">{t('not rated, {count, plural, one {# order} other {# orders}}', { count })}</span>
  return (
    <>
      <span aria-hidden="true">★ </span>
      {decimalText(mean, 1)}{' '}
      <span className="muted">{t('of 5, {count, plural, one {# order} other {# orders}}', { count })}</span>
    </>
  )
}

/** What part of a seller's completed orders it lost in disputes, by weight. */
export function DisputesText({ seller }: { seller: Seller }) {
  if (seller.unweighted_count === 0) return <span className="muted">–</span>
  const lost = seller.weighted_dispute_loss_rate
  return lost === 0 ? t('none lost') : t('{share} lost', { share: percentText(lost) })
}
