import { useState } from 'react'
import { type Body, useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { BarChart } from '../../../ui/layout/BarChart.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { amountText, durationText } from '../../../ui/values/format.ts'
import { State } from '../../../ui/values/State.tsx'
import styles from './Totals.module.css'

type Totals = Body<'readOperatorTotals'>
type Day = Totals['days'][number]

const POLL_MS = 60_000
const SPANS = [7, 30, 90]

/** What the market came to in the last days, and what is open now. */
export function MarketTotals() {
  const [days, setDays] = useState(30)
  const { data, error } = useRead('readOperatorTotals', { query: { days } }, { pollMs: POLL_MS })
  const choice = (
    <select
      className={styles.days}
      aria-label={t('Time')}
      value={days}
      onChange={({ target }) => setDays(Number(target.value))}
    >
      {SPANS.map((span) => (
        <option key={span} value={span}>
          {t('{days, plural, one {Last day} other {Last # days}}', { days: span })}
        </option>
      ))}
    </select>
  )
  return (
    <>
      <Section title={t('Market')} actions={choice}>
        <Problem error={error} />
        {data ? <Period totals={data} /> : null}
      </Section>
      {data ? <OpenNow totals={data} /> : null}
    </>
  )
}

function Period({ totals: { period, days, time_to_final: time } }: { totals: Totals }) {
  return (
    <>
      <DescriptionList
        items={[
          [t('Orders paid'), period.paid_orders],
          [t('Volume'), <Amount key="paid" value={period.paid} />],
          [t('Orders settled'), period.ended_orders],
          [t('Paid to sellers'), <Amount key="sellers" value={period.to_sellers} />],
          [t('Refunded'), <Amount key="refunded" value={period.refunded} />],
          [t('Fees'), <Amount key="fees" value={period.fees} />],
          [
            t('Time from payment to final'),
            time ? t('{duration} (median)', { duration: durationText(time.median_seconds) }) : t('no order yet'),
          ],
          [t('Slowest tenth'), time ? t('over {duration}', { duration: durationText(time.p90_seconds) }) : undefined],
        ]}
      />
      <div className={styles.charts}>
        <BarChart
          bars={days.map(paidBar)}
          label={t('Volume by day, {amount} in all', { amount: amountText(period.paid) })}
        >
          {t('Volume by day (UTC)')}
        </BarChart>
        <BarChart
          bars={days.map(settledBar)}
          label={t('Settled by day: {sellers} to sellers, {refunded} refunded, {fees} fees', {
            sellers: amountText(period.to_sellers),
            refunded: amountText(period.refunded),
            fees: amountText(period.fees),
          })}
        >
          {t('Settled by day (UTC), from the bottom: paid to sellers, fees, refunded')}
        </BarChart>
      </div>
      <details>
        <summary>{t('Days as a table')}</summary>
        <div className={styles.table}>
          <Days days={days} />
        </div>
      </details>
    </>
  )
}

function Days({ days }: { days: readonly Day[] }) {
  const money = (title: string, of: (day: Day) => string) => ({
    title,
    isNumber: true,
    isLabelled: true,
    cell: (day: Day) => <Amount value={of(day)} aligned={days.map(of)} />,
  })
  return (
    <Table
      caption={t('Each day, newest first')}
      rows={days.toReversed()}
      keyOf={({ day }) => day}
      empty={<p>{t('No day has begun.')}</p>}
      columns={[
        { title: t('Day'), cell: ({ day }) => <time dateTime={day}>{day}</time> },
        { title: t('Orders paid'), isNumber: true, isLabelled: true, cell: ({ paid_orders: orders }) => orders },
        money(t('Volume'), ({ paid }) => paid),
        { title: t('Settled'), isNumber: true, isLabelled: true, cell: ({ ended_orders: orders }) => orders },
        money(t('To sellers'), ({ to_sellers: sellers }) => sellers),
        money(t('Refunded'), ({ refunded }) => refunded),
        money(t('Fees'), ({ fees }) => fees),
      ]}
    />
  )
}

function OpenNow({ totals: { open_orders: orders, disputes } }: { totals: Totals }) {
  return (
    <Section title={t('Open now')}>
      <div className={styles.open}>
        <Table
          caption={t('Open orders by state')}
          rows={orders}
          keyOf={({ state }) => state}
          empty={<p>{t('No orders.')}</p>}
          columns={[
            { title: t('Orders'), cell: ({ state }) => <State name={state} /> },
            { title: t('Number'), isNumber: true, isLabelled: true, cell: ({ orders: number }) => number },
            {
              title: t('Price'),
              isNumber: true,
              isLabelled: true,
              cell: ({ amount }) => <Amount value={amount} aligned={orders.map((each) => each.amount)} />,
            },
          ]}
        />
        <Table
          caption={t('Disputes by state')}
          rows={disputes}
          keyOf={({ state }) => state}
          empty={<p>{t('No disputes.')}</p>}
          columns={[
            {
              title: t('Disputes'),
              cell: ({ state }) =>
                state === 'closed' ? <State name={state} label={t('closed in this time')} /> : <State name={state} />,
            },
            { title: t('Number'), isNumber: true, isLabelled: true, cell: ({ disputes: number }) => number },
          ]}
        />
      </div>
    </Section>
  )
}

function paidBar({ day, paid, paid_orders: orders }: Day) {
  return {
    title: t('{day}: {orders} paid, {amount}', { day, orders, amount: amountText(paid) }),
    parts: [{ value: Number(paid), mood: 'kept' } as const],
  }
}

function settledBar({ day, to_sellers: sellers, fees, refunded }: Day) {
  return {
    title: t('{day}: {sellers} to sellers, {fees} fees, {refunded} refunded', {
      day,
      sellers: amountText(sellers),
      fees: amountText(fees),
      refunded: amountText(refunded),
    }),
    parts: [
      { value: Number(sellers), mood: 'good' } as const,
      { value: Number(fees), mood: 'kept' } as const,
      { value: Number(refunded), mood: 'bad' } as const,
    ],
  }
}
