import { useState } from 'react'
import { type Body, useRead } from '../../data/queries.ts'
import { Amount } from '../../ui/Amount.tsx'
import { BarChart } from '../../ui/BarChart.tsx'
import { DescriptionList } from '../../ui/DescriptionList.tsx'
import { amountText, durationText } from '../../ui/format.ts'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
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
      aria-label="Time"
      value={days}
      onChange={({ target }) => setDays(Number(target.value))}
    >
      {SPANS.map((span) => (
        <option key={span} value={span}>
          Last {span} days
        </option>
      ))}
    </select>
  )
  return (
    <>
      <Section title="Market" actions={choice}>
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
          ['Orders paid', period.paid_orders],
          ['Volume', <Amount key="paid" value={period.paid} />],
          ['Orders settled', period.ended_orders],
          ['Paid to sellers', <Amount key="sellers" value={period.to_sellers} />],
          ['Refunded', <Amount key="refunded" value={period.refunded} />],
          ['Fees', <Amount key="fees" value={period.fees} />],
          ['Time from payment to final', time ? `${durationText(time.median_seconds)} (median)` : 'no order yet'],
          ['Slowest tenth', time ? `over ${durationText(time.p90_seconds)}` : undefined],
        ]}
      />
      <div className={styles.charts}>
        <BarChart bars={days.map(paidBar)} label={`Volume by day, ${amountText(period.paid)} in all`}>
          Volume by day (UTC)
        </BarChart>
        <BarChart
          bars={days.map(settledBar)}
          label={`Settled by day: ${amountText(period.to_sellers)} to sellers, ${amountText(period.refunded)} refunded, ${amountText(period.fees)} fees`}
        >
          Settled by day (UTC), from the bottom: paid to sellers, fees, refunded
        </BarChart>
      </div>
      <details>
        <summary>Days as a table</summary>
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
      caption="Each day, newest first"
      rows={days.toReversed()}
      keyOf={({ day }) => day}
      empty={<p>No day has begun.</p>}
      columns={[
        { title: 'Day', cell: ({ day }) => <time dateTime={day}>{day}</time> },
        { title: 'Orders paid', isNumber: true, isLabelled: true, cell: ({ paid_orders: orders }) => orders },
        money('Volume', ({ paid }) => paid),
        { title: 'Settled', isNumber: true, isLabelled: true, cell: ({ ended_orders: orders }) => orders },
        money('To sellers', ({ to_sellers: sellers }) => sellers),
        money('Refunded', ({ refunded }) => refunded),
        money('Fees', ({ fees }) => fees),
      ]}
    />
  )
}

function OpenNow({ totals: { open_orders: orders, disputes } }: { totals: Totals }) {
  return (
    <Section title="Open now">
      <div className={styles.open}>
        <Table
          caption="Open orders by state"
          rows={orders}
          keyOf={({ state }) => state}
          empty={<p>No orders.</p>}
          columns={[
            { title: 'Orders', cell: ({ state }) => <State name={state} /> },
            { title: 'Number', isNumber: true, isLabelled: true, cell: ({ orders: number }) => number },
            {
              title: 'Price',
              isNumber: true,
              isLabelled: true,
              cell: ({ amount }) => <Amount value={amount} aligned={orders.map((each) => each.amount)} />,
            },
          ]}
        />
        <Table
          caption="Disputes by state"
          rows={disputes}
          keyOf={({ state }) => state}
          empty={<p>No disputes.</p>}
          columns={[
            {
              title: 'Disputes',
              cell: ({ state }) =>
                state === 'closed' ? <State name={state} label="closed in this time" /> : <State name={state} />,
            },
            { title: 'Number', isNumber: true, isLabelled: true, cell: ({ disputes: number }) => number },
          ]}
        />
      </div>
    </Section>
  )
}

function paidBar({ day, paid, paid_orders: orders }: Day) {
  return {
    title: `${day}: ${orders} paid, ${amountText(paid)}`,
    parts: [{ value: Number(paid), mood: 'kept' } as const],
  }
}

function settledBar({ day, to_sellers: sellers, fees, refunded }: Day) {
  return {
    title: `${day}: ${amountText(sellers)} to sellers, ${amountText(fees)} fees, ${amountText(refunded)} refunded`,
    parts: [
      { value: Number(sellers), mood: 'good' } as const,
      { value: Number(fees), mood: 'kept' } as const,
      { value: Number(refunded), mood: 'bad' } as const,
    ],
  }
}
