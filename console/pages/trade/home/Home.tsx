import { Link } from 'wouter'
import { useMe } from '../../../data/me.ts'
import { useList, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { clockText } from '../../../ui/values/format.ts'
import { Invitations } from '../../work/org/Invitations.tsx'
import { WithdrawCredit } from '../order/payment/WithdrawCredit.tsx'
import { OrderTable } from '../orders/OrderTable.tsx'
import styles from './Home.module.css'
import { FirstSteps } from './internal/FirstSteps.tsx'
import { Waiting } from './internal/Waiting.tsx'

const LATEST = 6

/** The home page: what the person must do, their money, their latest orders, and the latest settlements. */
export function Home() {
  const me = useMe()
  const { items, error } = useList('listOrders', { query: { limit: 100 } }, { pollMs: 10_000 })
  return (
    <>
      <PageHead title={t('Hello, {name}', { name: me.display_name })} />
      <Invitations />
      <div className={styles.columns}>
        <div>
          {items?.length === 0 ? (
            <Section title={t('Your first trade')}>
              <FirstSteps />
            </Section>
          ) : (
            <Waiting orders={items} error={error} />
          )}
        </div>
        <Money />
      </div>
      {items?.length ? (
        <Section title={t('Latest orders')} actions={<Link href={pathTo('orders')}>{t('All orders')}</Link>}>
          <OrderTable orders={items.slice(0, LATEST)} empty={null} />
        </Section>
      ) : null}
      <RecentTrades />
    </>
  )
}

function Money() {
  const { data, error } = useRead('readBalances', {}, { pollMs: 15_000 })
  return (
    <Section title={t('Money, USDC')} actions={<Link href={pathTo('money')}>{t('Statement')}</Link>}>
      <Problem error={error} />
      {data ? (
        <dl className={styles.sums}>
          <div>
            <dt>{t('held in escrow')}</dt>
            <dd>
              <Amount value={sum(data.contract.held, data.custody.held)} large />
            </dd>
          </div>
          <div>
            <dt>{t('available to withdraw')}</dt>
            <dd>
              <Amount value={data.contract.claimable} large />
              <WithdrawCredit wallets={data.contract.wallets} amount={data.contract.claimable} />
            </dd>
          </div>
          <div>
            <dt>{t('payouts in transit')}</dt>
            <dd>
              <Amount value={sum(data.custody.payable, data.custody.in_transit)} large />
            </dd>
          </div>
        </dl>
      ) : null}
    </Section>
  )
}

function RecentTrades() {
  const { data } = useRead('listRecentOrders', {}, { pollMs: 5_000 })
  const orders = data?.orders ?? []
  if (orders.length === 0) return null
  return (
    <Section title={t('Settled on the market')}>
      <ul className={`plain ${styles.ticker}`}>
        {orders.slice(0, 8).map((order) => (
          <li key={order.finalized_at + order.price}>
            <span className="muted small">{clockText(order.finalized_at)}</span>
            <span>
              {word(order.outcome)}
              {order.disputed ? ` ${t('after a dispute')}` : ''}
            </span>
            <Amount value={order.price} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function sum(...amounts: string[]): string {
  const micros = amounts.reduce((total, amount) => total + BigInt(amount.replace('.', '')), 0n)
  return `${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`
}
