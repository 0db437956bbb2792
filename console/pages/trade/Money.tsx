import { Link } from 'wouter'
import { useList, useRead } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Balances } from './Balances.tsx'
import { MyLiabilities } from './MyLiabilities.tsx'
import { Payouts } from './Payouts.tsx'

const DAYS_BACK = 30
const DAY_MS = 86_400_000
// Fixed while the page is open: a range that moves would be another list at each read.
const to = new Date()
const from = new Date(to.getTime() - DAYS_BACK * DAY_MS)

/** Balances with their proof, the statement of the last thirty days, and payouts. */
export function Money() {
  const { data, error } = useRead('readBalances', {}, { pollMs: 15_000 })
  return (
    <>
      <PageHead
        title="Money"
        aside={data ? <Amount value={data.custody.total} large /> : undefined}
        about="The service holds this USDC for you. What the contract holds is yours on chain."
        actions={
          <Link href={pathTo('wallets')} className="button">
            Withdraw…
          </Link>
        }
      />
      <Problem error={error} />
      <Balances />
      <MyLiabilities />
      <Payouts />
      <Statement />
    </>
  )
}

function Statement() {
  const query = { from: from.toISOString(), to: to.toISOString() }
  const { items, latest, error, more } = useList('readStatement', { query })
  const amounts = items?.flatMap(({ amount, balance }) => [amount, balance]) ?? []
  const csv = `/v1/ledger/statement.csv?${new URLSearchParams(query)}`
  return (
    <Section title={`Statement, the last ${DAYS_BACK} days`} actions={<a href={csv}>As CSV</a>}>
      {latest ? (
        <p className="muted">
          From <Amount value={latest.opening_balance} /> to <Amount value={latest.closing_balance} />
        </p>
      ) : null}
      <Table
        caption="Statement"
        rows={items}
        error={error}
        more={more}
        keyOf={({ at, kind, balance }) => `${at}${kind}${balance}`}
        empty={<p>No entries.</p>}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} relative={false} /> },
          {
            title: 'What',
            cell: ({ kind, order_urn, order_title }) =>
              order_urn ? (
                <>
                  {kind.replaceAll('_', ' ')} ·{' '}
                  <Link href={pathTo('order', { id: order_urn.body })}>{order_title ?? 'order'}</Link>
                </>
              ) : (
                kind.replaceAll('_', ' ')
              ),
          },
          { title: 'Transaction', cell: ({ tx_hash }) => (tx_hash ? <Hash value={tx_hash} /> : null) },
          { title: 'Amount', isNumber: true, cell: ({ amount }) => <Amount value={amount} aligned={amounts} /> },
          { title: 'Balance', isNumber: true, cell: ({ balance }) => <Amount value={balance} aligned={amounts} /> },
        ]}
      />
    </Section>
  )
}
