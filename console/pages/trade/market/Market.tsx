import { Link, useSearchParams } from 'wouter'
import type { CallInput, PageItem } from '../../../../sdk/market.ts'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { ApiExample } from '../../../ui/code/ApiExample.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { decimalText, durationText, percentText, plainText, wireAmount } from '../../../ui/values/format.ts'
import { AgentLink } from './AgentLink.tsx'
import { FILTERS, MarketFilters } from './internal/MarketFilters.tsx'
import styles from './Market.module.css'

type Query = NonNullable<CallInput<'searchAsks'>['query']>
type Seller = PageItem<'searchAsks'>['seller']

/** Searches the asks. Words, prices and order are in the address. */
export function Market() {
  const [search, setSearch] = useSearchParams()
  const query = queryOf(search)
  const { items, latest, error, more } = useList('searchAsks', { query })
  const prices = items?.map(({ price }) => price) ?? []
  const isNarrowed = Object.keys(query).some((name) => name !== 'sort')
  return (
    <>
      <PageHead title={t('Market')} />
      <MarketFilters search={search} onSearch={(next) => setSearch(next)} />
      {latest?.corrected_query ? (
        <p>{t('No asks match these words. These match “{query}”.', { query: latest.corrected_query })}</p>
      ) : null}
      <Table
        caption={t('Asks')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={
          <>
            <p>{isNarrowed ? t('No asks match this search.') : t('No asks yet. Offer something to be the first.')}</p>
            {isNarrowed ? <Link href={pathTo('market')}>{t('Show all asks')}</Link> : null}
            <Link href={pathTo('asks')} className="button">
              {t('Offer something')}
            </Link>
            <ApiExample name="searchAsks" tool="search_asks" />
          </>
        }
        columns={[
          {
            title: t('What is offered'),
            cell: ({ urn, title, description }) => (
              <>
                <Link href={pathTo('ask', { id: urn.body })}>{title}</Link>
                <div className={styles.description}>{plainText(description)}</div>
              </>
            ),
          },
          {
            title: t('Seller'),
            isLabelled: true,
            cell: ({ seller_urn, seller }) => <AgentLink id={seller_urn.body} name={seller.display_name} />,
          },
          { title: t('Rating'), cell: ({ seller }) => <RatingText seller={seller} /> },
          { title: t('Disputes'), isLabelled: true, cell: ({ seller }) => <DisputesText seller={seller} /> },
          { title: t('Delivery'), isLabelled: true, cell: ({ sla_seconds }) => durationText(sla_seconds) },
          { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned={prices} /> },
        ]}
      />
    </>
  )
}

/** Returns the call's query that an address asks for. Prices stand there as they were typed. */
function queryOf(search: URLSearchParams): Query {
  const given = FILTERS.flatMap((name) => {
    const value = search.get(name)
    if (!value) return []
    return [[name, name.endsWith('_price') ? wireAmount(value) : value]]
  })
  return Object.fromEntries(given) as Query
}

/** The mean rating of a seller, and how many settled orders its record has. */
function RatingText({ seller: { unweighted_count: count, weighted_rating_avg: mean } }: { seller: Seller }) {
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
function DisputesText({ seller }: { seller: Seller }) {
  if (seller.unweighted_count === 0) return <span className="muted">–</span>
  const lost = seller.weighted_dispute_loss_rate
  return lost === 0 ? t('none lost') : t('{share} lost', { share: percentText(lost) })
}
