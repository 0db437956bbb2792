import { type ComponentType, useEffect, useState } from 'react'
import { useList, useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { HealthBadge } from '../health/HealthBadge.tsx'
import type { BooksChartProps } from './internal/BooksChart.tsx'
import { differenceOf } from './internal/difference.ts'

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
        title={t('Books')}
        kicker={
          last ? (
            <>
              <HealthBadge isAlive={last.is_ok} word={last.is_ok ? t('equal') : t('they differ')} />{' '}
              {t('at block {blockNumber}, {blocks} behind the newest, {seconds} s ago', {
                blockNumber: last.block_number,
                blocks: last.lag.blocks,
                seconds: last.age_seconds,
              })}
            </>
          ) : null
        }
        aside={last ? <Amount value={differenceOf(last)} large /> : null}
        about={t(
          'What the ledger has booked, compared with what the chain holds, at every block. The sum is their difference.',
        )}
      />
      <Problem error={now.error ?? past.error} />
      <Section title={t('The last comparison')}>
        {last ? (
          <Table
            caption={t('Booked and on the chain')}
            rows={[
              { place: t('Escrow contract'), ...last.escrow.balance },
              { place: t('Owed by the contract'), ...last.escrow.owed },
              { place: t('Hot wallet'), ...last.hot_wallet.balance },
            ]}
            keyOf={({ place }) => place}
            empty={null}
            columns={[
              { title: t('Place'), cell: ({ place }) => place },
              {
                title: t('Booked'),
                isNumber: true,
                isLabelled: true,
                cell: ({ booked }) => <Amount value={booked} aligned />,
              },
              {
                title: t('On the chain'),
                isNumber: true,
                isLabelled: true,
                cell: ({ on_chain }) => <Amount value={on_chain} aligned />,
              },
            ]}
          />
        ) : (
          <p className="muted">{t('No comparisons yet. One is made with every block.')}</p>
        )}
      </Section>
      <Section title={t('Over blocks')}>{Chart && past.items ? <Chart comparisons={past.items} /> : null}</Section>
      <Section title={t('Comparisons')}>
        <Table
          caption={t('Past comparisons')}
          rows={past.items?.slice(0, 20)}
          error={past.error}
          keyOf={({ block_hash }) => block_hash}
          empty={<p>{t('The comparisons of the last hours are kept here.')}</p>}
          columns={[
            { title: t('Block'), cell: ({ block_number: block }) => block },
            {
              title: t('Result'),
              cell: ({ is_ok }) => <HealthBadge isAlive={is_ok} word={is_ok ? t('equal') : t('they differ')} />,
            },
            { title: t('Findings'), isNumber: true, isLabelled: true, cell: ({ findings }) => findings },
            { title: t('Blocks behind'), isNumber: true, isLabelled: true, cell: ({ lag }) => lag.blocks },
            { title: t('Checked'), isLabelled: true, cell: ({ checked_at }) => <Time at={checked_at} /> },
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
    void import('./internal/BooksChart.tsx').then((file) => setChart({ component: file.BooksChart }))
  }, [])
  return chart?.component
}
