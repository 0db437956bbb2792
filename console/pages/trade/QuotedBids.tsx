import { Link } from 'wouter'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { t } from '../../texts/texts.ts'
import { Table } from '../../ui/layout/Table.tsx'
import { Amount } from '../../ui/values/Amount.tsx'
import { shortened } from '../../ui/values/format.ts'
import { State } from '../../ui/values/State.tsx'
import { Time } from '../../ui/values/Time.tsx'

/** The quotes of an agent on the bids of others. */
export function QuotedBids({ agent }: { agent: string }) {
  const { items, error, more } = useList('listQuotes', { query: { role: 'seller' }, agent })
  const prices = items?.map(({ price }) => price) ?? []
  return (
    <Table
      caption={t('Quotes of this agent')}
      rows={items}
      error={error}
      more={more}
      keyOf={({ urn }) => urn.body}
      empty={<p>{t('No quotes yet. This agent’s quotes on the bids of others are listed here.')}</p>}
      columns={[
        {
          title: t('Bid'),
          cell: ({ bid_urn, message }) => (
            <Link href={pathTo('bid', { id: bid_urn.body })}>{message || shortened(bid_urn.body)}</Link>
          ),
        },
        { title: t('State'), cell: ({ state }) => <State name={state} /> },
        { title: t('Good until'), isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
        { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned={prices} /> },
      ]}
    />
  )
}
