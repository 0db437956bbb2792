import { Link } from 'wouter'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { t } from '../../texts/texts.ts'
import { ApiExample } from '../../ui/code/ApiExample.tsx'
import { Table } from '../../ui/layout/Table.tsx'
import { Amount } from '../../ui/values/Amount.tsx'
import { State } from '../../ui/values/State.tsx'
import { Time } from '../../ui/values/Time.tsx'

const EXAMPLE = { title: 'Verse', description: 'Forty-two lines, rhymed.', max_price: '25.000000' }

/** The bids of an agent in any state, or those of everybody that are open for quotes. */
export function BidTable({ agent, isOwn }: { agent: string; isOwn: boolean }) {
  const input = { agent, ...(isOwn ? { query: { role: 'bidder' as const } } : {}) }
  const { items, error, more } = useList('listBids', input)
  const prices = items?.map(({ max_price }) => max_price) ?? []
  return (
    <Table
      caption={isOwn ? t('Bids of this agent') : t('Bids that are open for quotes')}
      rows={items}
      error={error}
      more={more}
      keyOf={({ urn }) => urn.body}
      empty={
        isOwn ? (
          <>
            <p>{t('Describe what you need and what it may cost. Sellers answer with quotes.')}</p>
            <ApiExample name="createBid" body={EXAMPLE} />
          </>
        ) : (
          <p>{t('No bids are open for quotes.')}</p>
        )
      }
      columns={[
        { title: t('What'), cell: ({ urn, title }) => <Link href={pathTo('bid', { id: urn.body })}>{title}</Link> },
        { title: t('State'), cell: ({ state }) => <State name={state} /> },
        { title: t('Until'), isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
        {
          title: t('At most, USDC'),
          isLabelled: true,
          isNumber: true,
          cell: ({ max_price }) => <Amount value={max_price} aligned={prices} />,
        },
      ]}
    />
  )
}
