import { useState } from 'react'
import { Link } from 'wouter'
import { useList } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

const DAYS_BACK = 30
const DAY_MS = 86_400_000

/** The books of a period: the orders that ended in it as CSV, and the statement of custody. */
export function Books() {
  const [first, setFirst] = useState(() => dayOf(Date.now() - DAYS_BACK * DAY_MS))
  const [last, setLast] = useState(() => dayOf(Date.now()))
  // Both days are in it. A field that somebody is typing in may be empty.
  const query = {
    ...(first ? { from: startOf(first) } : {}),
    ...(last ? { to: startOf(last, DAY_MS) } : {}),
  }
  // Excel takes a file without a byte order mark for the local encoding.
  const file = new URLSearchParams({ ...query, bom: 'true' })
  return (
    <>
      <Section
        title={t('For your books')}
        actions={
          <>
            <a href={`/v1/ledger/orders.csv?${file}`} download>
              {t('Orders as CSV')}
            </a>
            <a href={`/v1/ledger/statement.csv?${file}`} download>
              {t('Statement as CSV')}
            </a>
          </>
        }
      >
        <div className="row">
          <Field label={t('First day')} hint={t('UTC, as in the files.')}>
            {(props) => (
              <input
                {...props}
                type="date"
                value={first}
                max={last}
                onChange={(event) => setFirst(event.target.value)}
              />
            )}
          </Field>
          <Field label={t('Last day')} hint={t('It is in the period.')}>
            {(props) => (
              <input
                {...props}
                type="date"
                value={last}
                min={first}
                onChange={(event) => setLast(event.target.value)}
              />
            )}
          </Field>
        </div>
        <p className="muted">
          {t('An order is in the period in which it ended. The statement is of what was in custody.')}
        </p>
      </Section>
      <Statement query={query} />
    </>
  )
}

function Statement({ query }: { query: { from?: string; to?: string } }) {
  const { items, latest, error, more } = useList('readStatement', { query })
  const amounts = items?.flatMap(({ amount, balance }) => [amount, balance]) ?? []
  return (
    <Section title={t('Statement of custody')}>
      {latest ? (
        <p className="muted">
          <Trans
            message="From {opening} to {closing}"
            opening={<Amount value={latest.opening_balance} />}
            closing={<Amount value={latest.closing_balance} />}
          />
        </p>
      ) : null}
      <Table
        caption={t('Statement')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ at, kind, balance }) => `${at}${kind}${balance}`}
        empty={
          <p>
            {t('No entries: nothing was earned in custody in this period. What the contract paid is under Orders.')}
          </p>
        }
        columns={[
          { title: t('When'), cell: ({ at }) => <Time at={at} relative={false} /> },
          {
            title: t('What'),
            cell: ({ kind, order_urn, order_title }) =>
              order_urn ? (
                <>
                  {word(kind)} · <Link href={pathTo('order', { id: order_urn.body })}>{order_title ?? t('order')}</Link>
                </>
              ) : (
                word(kind)
              ),
          },
          {
            title: t('Transaction'),
            cell: ({ tx_hash }) => (tx_hash ? <ChainHash kind="tx" value={tx_hash} /> : null),
          },
          { title: t('Amount'), isNumber: true, cell: ({ amount }) => <Amount value={amount} aligned={amounts} /> },
          { title: t('Balance'), isNumber: true, cell: ({ balance }) => <Amount value={balance} aligned={amounts} /> },
        ]}
      />
    </Section>
  )
}

/** Returns the day of a time, in UTC. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Returns when a day begins, or so long after it. */
function startOf(day: string, laterMs = 0): string {
  return new Date(Date.parse(day) + laterMs).toISOString()
}
