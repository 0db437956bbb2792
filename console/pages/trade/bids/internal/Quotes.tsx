import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { type Body, useList } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { AgentLink } from '../../market/AgentLink.tsx'
import { PlaceOrder } from '../../orders/PlaceOrder.tsx'
import { quoteColumns } from './quoteColumns.tsx'

/** The quotes for a bid of the person's, side by side. They order by one of them. */
export function Quotes({ bid, agent }: { bid: Body<'getBid'>; agent: string }) {
  const bidUrn = urnString('bid', bid.urn.body)
  const query = { bid_urn: bidUrn, role: 'bidder' as const }
  const { items, error, more } = useList('listQuotes', { query, agent }, { pollMs: 15_000 })
  const [taken, setTaken] = useState<PageItem<'listQuotes'>>()
  return (
    <Section title={t('Quotes')}>
      <Table
        caption={t('Quotes for this bid')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={<p>{t('No seller has answered yet.')}</p>}
        columns={[
          ...quoteColumns(items),
          {
            title: t('Seller'),
            cell: ({ seller_urn }) => <AgentLink id={seller_urn.body} />,
          },
          {
            title: t('Take'),
            cell: (quote) =>
              bid.state === 'open' && quote.state === 'open' ? (
                <Button kind="primary" onClick={() => setTaken(quote)}>
                  {t('Order it…')}
                </Button>
              ) : null,
          },
        ]}
      />
      {taken ? (
        <PlaceOrder
          title={bid.title}
          what={{ bid_urn: bidUrn, quote_urn: urnString('quote', taken.urn.body) }}
          agent={agent}
          onClose={() => setTaken(undefined)}
        />
      ) : null}
    </Section>
  )
}
