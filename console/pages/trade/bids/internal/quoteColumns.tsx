import type { PageItem } from '../../../../../sdk/market.ts'
import { t } from '../../../../texts/texts.ts'
import type { Column } from '../../../../ui/layout/Table.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { durationText } from '../../../../ui/values/format.ts'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { Criteria } from '../../criteria/Criteria.tsx'

type Quote = PageItem<'listQuotes'>

/** The columns of a table of quotes. */
export function quoteColumns(quotes: readonly Quote[] | undefined): Column<Quote>[] {
  const prices = quotes?.map(({ price }) => price) ?? []
  return [
    {
      title: t('Message'),
      cell: ({ message, criteria, criteria_complete }) => (
        <>
          {message || <span className="muted">{t('No message')}</span>}
          <Criteria criteria={criteria} isComplete={criteria_complete} />
        </>
      ),
    },
    { title: t('State'), cell: ({ state }) => <State name={state} /> },
    { title: t('Within'), isLabelled: true, cell: ({ sla_seconds }) => durationText(sla_seconds) },
    { title: t('Until'), isLabelled: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
    { title: 'USDC', isNumber: true, cell: ({ price }) => <Amount value={price} aligned={prices} /> },
  ]
}
