import { Link, useParams } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { type Body, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { AdvanceClock } from '../../../ui/AdvanceClock.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { DescriptionList } from '../../../ui/DescriptionList.tsx'
import { amountText } from '../../../ui/format.ts'
import { Hash } from '../../../ui/Hash.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { State } from '../../../ui/State.tsx'
import { Time } from '../../../ui/Time.tsx'
import type { Viewer } from '../order/Order.tsx'
import { PaymentState, paymentLabel } from '../order/PaymentState.tsx'
import { Sealed } from '../order/Sealed.tsx'
import { DisputeSteps } from './DisputeSteps.tsx'
import { Evidence } from './Evidence.tsx'
import { Files } from './Files.tsx'
import { reasonText } from './reasonText.ts'
import { Statements } from './Statements.tsx'
import { Verdict } from './Verdict.tsx'

export type DisputeBody = Body<'getDispute'>

/** A dispute: the statements of both sides, the facts, the deadlines, the verdict and the appeal. */
export function Dispute() {
  const { id = '' } = useParams<{ id: string }>()
  const urn = urnString('dispute', id)
  const { sideOf } = useMyAgents()
  const { data: dispute, error } = useRead('getDispute', { params: { urn } }, { pollMs: 10_000, isChanging: isFeePaid })
  const order = useRead(
    'getOrder',
    { params: { urn: urnString('order', dispute?.order_urn.body ?? '') } },
    { enabled: dispute !== undefined },
  )
  if (!dispute) return error ? <Problem error={error} /> : null
  const viewer = order.data && sideOf(order.data)
  const seen = order.data && viewer ? { order: order.data, viewer } : undefined
  return (
    <>
      <Head dispute={dispute} order={order.data} viewer={viewer} />
      {dispute.appeals.map(({ party, payment }) =>
        payment ? <PaymentState key={party} payment={payment} what={`fee of the ${party}’s appeal`} /> : null,
      )}
      {seen && dispute.verdict_urn ? (
        <Verdict urn={urnString('verdict', dispute.verdict_urn.body)} order={seen.order} agent={seen.viewer.agent} />
      ) : null}
      <Statements dispute={dispute} />
      {seen ? <Papers dispute={dispute} {...seen} /> : null}
      <Section title="Facts">
        <DescriptionList
          items={[
            ['Opened', <Time at={dispute.opened_at} />],
            ...dispute.rejections.map(
              ({ delivery, reason, rejected_at }) =>
                [
                  `Delivery ${delivery} was rejected`,
                  <span key={delivery}>
                    {reason ?? 'without a reason'} · <Time at={rejected_at} relative={false} />
                  </span>,
                ] as const,
            ),
            ['Nothing to add', sidesOf(dispute.ready)],
            ['Will not appeal', sidesOf(dispute.waived)],
            ['Why a human decides', dispute.flags.length ? reasonText(dispute.flags) : undefined],
            ['Hash of the record', dispute.evidence_sha256 ? <Hash value={dispute.evidence_sha256} /> : undefined],
            [
              'Statements on the appeal until',
              dispute.appeal_heard_until ? <Time at={dispute.appeal_heard_until} /> : undefined,
            ],
            ['Ended by', dispute.outcome],
            ['Buyer gets back', dispute.refund ? <Amount value={dispute.refund} /> : undefined],
            ...dispute.appeals.map(
              ({ party, state, fee, payment }) =>
                [
                  `Appeal of the ${party}`,
                  `${state}, fee ${amountText(fee)}${payment ? `, ${paymentLabel(payment.state).label}` : ''}`,
                ] as const,
            ),
          ]}
        />
      </Section>
    </>
  )
}

/** Whether the fee of an appeal is on its way. */
function isFeePaid({ appeals }: DisputeBody): boolean {
  return appeals.some(({ payment }) => payment?.state === 'submitted')
}

interface HeadProps {
  dispute: DisputeBody
  order: Body<'getOrder'> | undefined
  viewer: Viewer | undefined
}

function Head({ dispute, order, viewer }: HeadProps) {
  return (
    <PageHead
      title={order?.title ? `Dispute: ${order.title}` : 'Dispute'}
      kicker={
        <>
          <State name={dispute.state} />
          {dispute.due_at ? (
            <span className="muted">
              {dispute.state === 'decided' ? ' · becomes final ' : ' · next step by '}
              <Time at={dispute.due_at} />
              {dispute.state === 'decided' ? ' unless appealed' : ''}
            </span>
          ) : null}
          {dispute.due_at ? <AdvanceClock to={dispute.due_at} /> : null}
        </>
      }
      aside={order ? <Amount value={order.price} large /> : undefined}
      about={
        <>
          <Link href={pathTo('order', { id: dispute.order_urn.body })}>The order</Link> ·{' '}
          <Hash value={urnString('dispute', dispute.urn.body)} label="Copy the dispute's URN" />
        </>
      }
      actions={order && viewer ? <DisputeSteps dispute={dispute} order={order} viewer={viewer} /> : undefined}
    />
  )
}

/** The evidence that the parties can submit. */
function Papers({ dispute, order, viewer }: { dispute: DisputeBody; order: Body<'getOrder'>; viewer: Viewer }) {
  if (!order.thread_urn) return null
  return (
    <>
      <Evidence dispute={dispute} order={order} viewer={viewer} />
      <Files dispute={dispute} viewer={viewer} />
      {order.sealed ? <Sealed order={order} viewer={viewer} /> : null}
    </>
  )
}

function sidesOf({ buyer, seller }: { buyer: boolean; seller: boolean }): string {
  if (buyer && seller) return 'both'
  if (buyer) return 'the buyer'
  return seller ? 'the seller' : 'neither'
}
