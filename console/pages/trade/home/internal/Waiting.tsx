import { useState } from 'react'
import { Link } from 'wouter'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useMyAgents } from '../../../../data/myAgents.ts'
import { useList, useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { msg, t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { Pay } from '../../order/payment/Pay.tsx'
import { Accept } from '../../order/work/Accept.tsx'
import { OrderTable } from '../../orders/OrderTable.tsx'
import styles from '../Home.module.css'

type Order = PageItem<'listOrders'>

/** The next step, by whose turn it is. A dispute needs both sides. */
const NEXT: Readonly<Record<string, Order['may'][number]>> = {
  pay: 'fund',
  deliver: 'deliver',
  decide: 'accept',
  redeliver: 'deliver',
}

/** The actions of a buyer that do not need the order's page. */
const ORDER_ACTIONS = { pay: msg('Pay…'), decide: msg('Accept…') } as const

/** The orders that need the person, by deadline, and the orders that wait for others. */
export function Waiting({ orders, error }: { orders: readonly Order[] | undefined; error: unknown }) {
  const [acting, setActing] = useState<{ id: string; step: keyof typeof ORDER_ACTIONS }>()
  const open = orders
    ?.filter(({ next_deadline, state }) => next_deadline || state === 'disputed')
    .sort((one, other) => dueOf(one).localeCompare(dueOf(other)))
  const isMine = ({ may, next_deadline }: Order) => {
    const next = NEXT[next_deadline?.what ?? 'dispute']
    return next === undefined || may.includes(next)
  }
  const mine = open?.filter(isMine)
  const others = open?.filter((order) => !isMine(order)) ?? []
  const stuck = useStuckPayouts()
  const act = (order: Order) => <Act order={order} onAct={(step) => setActing({ id: order.urn.body, step })} />
  return (
    <>
      <Section title={t('Needs your attention')}>
        {stuck.length > 0 ? <StuckPayouts payouts={stuck} /> : null}
        {stuck.length > 0 && mine?.length === 0 ? null : (
          <OrderTable
            orders={mine}
            error={error}
            empty={<p>{t('You’re all caught up.')}</p>}
            act={mine?.some(stepOf) ? act : undefined}
          />
        )}
        {acting ? <OrderActionDialog {...acting} onClose={() => setActing(undefined)} /> : null}
      </Section>
      {others.length ? (
        <Section title={t('Waiting on others')}>
          <OrderTable orders={others} empty={null} />
        </Section>
      ) : null}
    </>
  )
}

/** The step of a buyer that a dialog can do without the order's page. */
function Act({ order, onAct }: { order: Order; onAct: (step: keyof typeof ORDER_ACTIONS) => void }) {
  const step = stepOf(order)
  return step ? <Button onClick={() => onAct(step)}>{t(ORDER_ACTIONS[step])}</Button> : null
}

function stepOf({ next_deadline }: Order): keyof typeof ORDER_ACTIONS | undefined {
  const what = next_deadline?.what
  return what === 'pay' || what === 'decide' ? what : undefined
}

function dueOf({ next_deadline, placed_at }: Order): string {
  return next_deadline?.at ?? placed_at
}

/** The payouts that wait for the person. */
function useStuckPayouts() {
  const { items = [] } = useList('listPayouts', {}, { pollMs: 30_000 })
  return items.filter(({ state, parked_at }) => state === 'blocked' || (state === 'failed' && parked_at))
}

function StuckPayouts({ payouts }: { payouts: ReturnType<typeof useStuckPayouts> }) {
  return (
    <ul className={`plain ${styles.ticker}`}>
      {payouts.map(({ urn, state, to, amount }) => (
        <li key={urn.body}>
          <span>
            <span aria-hidden="true">▮</span>{' '}
            <Link href={pathTo(to ? 'money' : 'wallets')}>
              {to ? t('A payout is {state}', { state: word(state) }) : t('A payout waits: bind a wallet to be paid to')}
            </Link>
          </span>
          <Amount value={amount} />
        </li>
      ))}
    </ul>
  )
}

interface OrderActionDialogProps {
  id: string
  step: keyof typeof ORDER_ACTIONS
  onClose: () => void
}

/** Pays an order, or accepts its delivery, over the page that lists it. */
function OrderActionDialog({ id, step, onClose }: OrderActionDialogProps) {
  const { data: order } = useRead('getOrder', { params: { urn: urnString('order', id) } })
  const { sidesOf } = useMyAgents()
  if (!order || !sidesOf(order).includes('buyer')) return null
  const viewer = { side: 'buyer' as const, agent: urnString('agent', order.buyer_urn.body) }
  const Step = step === 'pay' ? Pay : Accept
  return <Step order={order} viewer={viewer} onClose={onClose} />
}
