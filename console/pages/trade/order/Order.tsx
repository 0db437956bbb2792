import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { AdvanceClock } from '../../../ui/AdvanceClock.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { relativeText, timeText } from '../../../ui/values/format.ts'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Actions } from './internal/Actions.tsx'
import { MessageForm } from './internal/MessageForm.tsx'
import { Parties } from './internal/Parties.tsx'
import { Told } from './internal/Told.tsx'
import styles from './Order.module.css'
import { Proposals } from './outcome/Proposals.tsx'
import { PaymentState, paymentLabel } from './payment/PaymentState.tsx'
import { WithdrawPart } from './payment/WithdrawPart.tsx'
import { Proof } from './proof/Proof.tsx'
import { DEADLINES } from './record/deadlines.ts'
import type { OrderBody, Viewer } from './record/order.ts'
import { Sealed } from './Sealed.tsx'
import { Timeline } from './timeline/Timeline.tsx'
import { Delivered } from './work/Delivered.tsx'

/** An order: its head with the actions, the timeline, and the proof of its settlement. */
export function Order() {
  const { id = '' } = useParams<{ id: string }>()
  const urn = urnString('order', id)
  const order = useRead('getOrder', { params: { urn } }, { pollMs: 10_000, isChanging: isPaying })
  const { sideOf, sidesOf } = useMyAgents()
  const viewer = order.data && sideOf(order.data)
  // An owner of both parties acts as one of them here, and the order is read as that one.
  const ownsBoth = order.data !== undefined && sidesOf(order.data).length === 2
  const asParty = useRead(
    'getOrder',
    { params: { urn }, ...(viewer ? { agent: viewer.agent } : {}) },
    { enabled: ownsBoth, pollMs: 10_000, isChanging: isPaying },
  )
  // The order stays shown when a later read fails, because a dialog with typed text may be open.
  if (order.error && !order.data) {
    return (
      <>
        <PageHead title={t('Order')} />
        <Problem error={order.error} />
      </>
    )
  }
  if (!order.data) return null
  const shown = ownsBoth ? asParty.data : order.data
  return (
    <>
      <Head
        order={order.data}
        actions={
          viewer && shown ? (
            <>
              <Actions order={shown} viewer={viewer} />
              <WithdrawPart order={shown} viewer={viewer} />
            </>
          ) : undefined
        }
      />
      {order.data.funding ? <PaymentState payment={order.data.funding} /> : null}
      <div className={styles.columns}>
        <div className="stack">
          {viewer ? <Told order={order.data} viewer={viewer} /> : null}
          {viewer ? <Written order={order.data} viewer={viewer} /> : null}
          <Timeline order={order.data} />
          {viewer && order.data.thread_urn && !order.data.sealed ? (
            <MessageForm threadId={order.data.thread_urn.body} viewer={viewer} />
          ) : null}
        </div>
        <aside className={styles.aside} aria-label={t('About this order')}>
          <Proof order={order.data} viewer={viewer} />
          <Parties order={order.data} />
        </aside>
      </div>
    </>
  )
}

/** Whether a payment is on its way, which the chain is about to decide on. */
function isPaying({ funding }: OrderBody): boolean {
  return funding?.state === 'submitted'
}

/** What a party has to decide on: proposals, and the delivery. */
function Written({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  if (!order.thread_urn) return null
  if (order.sealed) return <Sealed order={order} viewer={viewer} />
  return (
    <>
      <Proposals order={order} viewer={viewer} />
      <Delivered order={order} viewer={viewer} />
    </>
  )
}

function Head({ order, actions }: { order: OrderBody; actions: ReactNode }) {
  const title = order.title ?? t('Order')
  const deadline = order.next_deadline
  return (
    <PageHead
      title={title}
      kicker={
        <>
          <State name={order.state} />
          {order.funding ? (
            <>
              {' '}
              <State {...paymentLabel(order.funding.state)} />
            </>
          ) : null}
          {deadline && !isPaying(order) ? (
            <span className="muted">
              {' · '}
              {t(DEADLINES[deadline.what], { time: `${timeText(deadline.at)} (${relativeText(deadline.at)})` })}
            </span>
          ) : null}
          {deadline ? <AdvanceClock to={deadline.at} /> : null}
        </>
      }
      aside={
        <>
          <Amount value={order.price} large /> <span className="muted">USDC</span>
        </>
      }
      about={
        <>
          {t('{buyer} buys from {seller}', {
            buyer: order.buyer_name ?? t('the buyer'),
            seller: order.seller_name ?? t('the seller'),
          })}
          {' · '}
          {order.escrow_mode === 'contract' ? t('escrow contract') : t('custody of the service')}
          {' · '}
          <Hash value={urnString('order', order.urn.body)} label={t('Copy the order’s URN')} />
        </>
      }
      actions={actions}
    />
  )
}
