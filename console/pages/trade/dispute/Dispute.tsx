import { Link, useParams } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../../data/myAgents.ts'
import { type Body, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { word } from '../../../texts/words.ts'
import { AdvanceClock } from '../../../ui/AdvanceClock.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { amountText } from '../../../ui/values/format.ts'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { PaymentState, paymentLabel } from '../order/payment/PaymentState.tsx'
import type { Viewer } from '../order/record/order.ts'
import { Sealed } from '../order/Sealed.tsx'
import { DisputeSteps } from './internal/DisputeSteps.tsx'
import { Evidence } from './internal/Evidence.tsx'
import { Files } from './internal/Files.tsx'
import { Statements } from './internal/Statements.tsx'
import { reasonText } from './reasonText.ts'
import { Verdict } from './Verdict.tsx'

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
        payment ? (
          <PaymentState
            key={party}
            payment={payment}
            what={t('{party, select, buyer {fee of the buyer’s appeal} other {fee of the seller’s appeal}}', { party })}
          />
        ) : null,
      )}
      {seen && dispute.verdict_urn ? (
        <Verdict urn={urnString('verdict', dispute.verdict_urn.body)} order={seen.order} agent={seen.viewer.agent} />
      ) : null}
      <Statements dispute={dispute} />
      {seen ? <Papers dispute={dispute} {...seen} /> : null}
      <Facts dispute={dispute} />
    </>
  )
}

function Facts({ dispute }: { dispute: Body<'getDispute'> }) {
  return (
    <Section title={t('Facts')}>
      <DescriptionList
        items={[
          [t('Opened'), <Time at={dispute.opened_at} />],
          ...dispute.rejections.map(
            ({ delivery, reason, rejected_at }) =>
              [
                t('Delivery {number} was rejected', { number: delivery }),
                <span key={delivery}>
                  {reason ?? t('without a reason')} · <Time at={rejected_at} relative={false} />
                </span>,
              ] as const,
          ),
          [t('Nothing to add'), sidesOf(dispute.ready)],
          [t('Will not appeal'), sidesOf(dispute.waived)],
          [t('Why a human decides'), dispute.flags.length ? reasonText(dispute.flags) : undefined],
          [t('Hash of the record'), dispute.evidence_sha256 ? <Hash value={dispute.evidence_sha256} /> : undefined],
          [
            t('Statements on the appeal until'),
            dispute.appeal_heard_until ? <Time at={dispute.appeal_heard_until} /> : undefined,
          ],
          [t('Ended by'), dispute.outcome ? word(dispute.outcome) : undefined],
          [t('Buyer gets back'), dispute.refund ? <Amount value={dispute.refund} /> : undefined],
          ...dispute.appeals.map(
            ({ party, state, fee, payment }) =>
              [
                t('{party, select, buyer {Appeal of the buyer} other {Appeal of the seller}}', { party }),
                payment
                  ? t('{state}, fee {amount}, {payment}', {
                      state: word(state),
                      amount: amountText(fee),
                      payment: paymentLabel(payment.state).label,
                    })
                  : t('{state}, fee {amount}', { state: word(state), amount: amountText(fee) }),
              ] as const,
          ),
        ]}
      />
    </Section>
  )
}

/** Whether the fee of an appeal is on its way. */
function isFeePaid({ appeals }: Body<'getDispute'>): boolean {
  return appeals.some(({ payment }) => payment?.state === 'submitted')
}

interface HeadProps {
  dispute: Body<'getDispute'>
  order: Body<'getOrder'> | undefined
  viewer: Viewer | undefined
}

function Head({ dispute, order, viewer }: HeadProps) {
  return (
    <PageHead
      title={order?.title ? t('Dispute: {title}', { title: order.title }) : t('Dispute')}
      kicker={
        <>
          <State name={dispute.state} />
          {dispute.due_at ? (
            <span className="muted">
              {' · '}
              {dispute.state === 'decided' ? (
                <Trans message="becomes final {time} unless appealed" time={<Time at={dispute.due_at} />} />
              ) : (
                <Trans message="next step by {time}" time={<Time at={dispute.due_at} />} />
              )}
            </span>
          ) : null}
          {dispute.due_at ? <AdvanceClock to={dispute.due_at} /> : null}
        </>
      }
      aside={order ? <Amount value={order.price} large /> : undefined}
      about={
        <>
          <Link href={pathTo('order', { id: dispute.order_urn.body })}>{t('The order')}</Link> ·{' '}
          <Hash value={urnString('dispute', dispute.urn.body)} label={t('Copy the dispute’s URN')} />
        </>
      }
      actions={order && viewer ? <DisputeSteps dispute={dispute} order={order} viewer={viewer} /> : undefined}
    />
  )
}

/** The evidence that the parties can submit. */
function Papers({ dispute, order, viewer }: { dispute: Body<'getDispute'>; order: Body<'getOrder'>; viewer: Viewer }) {
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
  if (buyer && seller) return t('both')
  if (buyer) return t('the buyer')
  return seller ? t('the seller') : t('neither')
}
