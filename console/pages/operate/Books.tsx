import { type ComponentType, useEffect, useState } from 'react'
import { useList, useRead } from '../../data/queries.ts'
import { Amount } from '../../ui/Amount.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import type { BooksChartProps } from './BooksChart.tsx'
import { differenceOf } from './difference.ts'
import { HealthBadge } from './HealthBadge.tsx'

const POLL_MS = 10_000

/** Compares the ledger with the chain, block by block. The page is public. */
export function Books() {
  const now = useRead('getReconciliation', {}, { pollMs: POLL_MS })
  const past = useList('listReconciliations', { query: { limit: 100 } }, { pollMs: POLL_MS })
  const Chart = useChart()
  const last = now.data?.reconciliation
  return (
    <>
      <PageHead
        title="Books"
        kicker={
          last ? (
            <>
              <HealthBadge isAlive={last.is_ok} word={last.is_ok ? 'equal' : 'they differ'} /> at block{' '}
              {last.block_number}, {last.lag.blocks} behind the newest, {last.age_seconds} s ago
            </>
          ) : null
        }
        aside={last ? <Amount value={differenceOf(last)} large /> : null}
        about="What the ledger has booked, compared with what the chain holds, at every block. The sum is their difference."
      />
      <Problem error={now.error ?? past.error} />
      <Section title="The last comparison">
        {last ? (
          <Table
            caption="Booked and on the chain"
            rows={[
              { place: 'Escrow contract', ...last.escrow.balance },
              { place: 'Owed by the contract', ...last.escrow.owed },
              { place: 'Hot wallet', ...last.hot_wallet.balance },
            ]}
            keyOf={({ place }) => place}
            empty={null}
            columns={[
              { title: 'Place', cell: ({ place }) => place },
              {
                title: 'Booked',
                isNumber: true,
                isLabelled: true,
                cell: ({ booked }) => <Amount value={booked} aligned />,
              },
              {
                title: 'On the chain',
                isNumber: true,
                isLabelled: true,
                cell: ({ on_chain }) => <Amount value={on_chain} aligned />,
              },
            ]}
          />
        ) : (
          <p className="muted">No comparisons yet. One is made with every block.</p>
        )}
      </Section>
      <Section title="Over blocks">{Chart && past.items ? <Chart comparisons={past.items} /> : null}</Section>
      <Section title="Comparisons">
        <Table
          caption="Past comparisons"
          rows={past.items?.slice(0, 20)}
          error={past.error}
          keyOf={({ block_hash }) => block_hash}
          empty={<p>The comparisons of the last hours are kept here.</p>}
          columns={[
            { title: 'Block', cell: ({ block_number: block }) => block },
            {
              title: 'Result',
              cell: ({ is_ok }) => <HealthBadge isAlive={is_ok} word={is_ok ? 'equal' : 'they differ'} />,
            },
            { title: 'Findings', isNumber: true, isLabelled: true, cell: ({ findings }) => findings },
            { title: 'Blocks behind', isNumber: true, isLabelled: true, cell: ({ lag }) => lag.blocks },
            { title: 'Checked', isLabelled: true, cell: ({ checked_at }) => <Time at={checked_at} /> },
          ]}
        />
      </Section>
    </>
  )
}

/** The chart with its library, once they are loaded. */
function useChart(): ComponentType<BooksChartProps> | undefined {
  const [chart, setChart] = useState<{ component: ComponentType<BooksChartProps> }>()
  useEffect(() => {
    void import('./BooksChart.tsx').then((file) => setChart({ component: file.BooksChart }))
  }, [])
  return chart?.component
}
