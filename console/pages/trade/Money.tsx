import { Link } from 'wouter'
import { useList, useRead } from '../../data/queries.ts'
import { pathTo } from '../../paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Payouts } from './Payouts.tsx'

const DAYS_BACK = 30
const DAY_MS = 86_400_000
// Fixed for as long as the page is open: a range that moves would be another list with every look.
const to = new Date()
const from = new Date(to.getTime() - DAYS_BACK * DAY_MS)

/** Balances, what moved in the last thirty days, and payouts. */
export function Money() {
  const { data, error } = useRead('readBalances', {}, { pollMs: 15_000 })
  const amounts = data ? [...Object.values(data.contract), ...Object.values(data.custody)] : []
  return (
    <>
      <PageHead
        title="Money"
        aside={data ? <Amount value={data.custody.total} large /> : undefined}
        about="USDC that the service keeps for you. What the contract keeps is yours on chain."
        actions={
          <Link href={pathTo('wallets')} className="button">
            Withdraw…
          </Link>
        }
      />
      <Problem error={error} />
      {data ? (
        <Section title="Balances">
          <Facts
            facts={[
              ['In the contract, for orders not decided', <Amount value={data.contract.held} aligned={amounts} />],
              ['In the contract, to withdraw', <Amount value={data.contract.claimable} aligned={amounts} />],
              ['In custody, for orders not decided', <Amount value={data.custody.held} aligned={amounts} />],
              ['Earned, not on its way', <Amount value={data.custody.payable} aligned={amounts} />],
              ['On its way to you', <Amount value={data.custody.in_transit} aligned={amounts} />],
              [
                'Kept apart: refunds that could not be made',
                <Amount value={data.custody.kept_apart} aligned={amounts} />,
              ],
            ]}
          />
        </Section>
      ) : null}
      <Payouts />
      <Statement />
    </>
  )
}

function Statement() {
  const query = { from: from.toISOString(), to: to.toISOString() }
  const { items, latest, error, more } = useList('readStatement', { query })
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
        empty={<p>Nothing was booked.</p>}
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
          { title: 'Amount', isNumber: true, cell: ({ amount }) => <Amount value={amount} aligned /> },
          { title: 'Balance', isNumber: true, cell: ({ balance }) => <Amount value={balance} aligned /> },
        ]}
      />
    </Section>
  )
}
