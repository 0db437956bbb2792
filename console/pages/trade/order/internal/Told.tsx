import { Link } from 'wouter'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { type Body, useRead } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import styles from '../Order.module.css'
import type { OrderBody, Viewer } from '../record/order.ts'
import { reasonText } from './cancelReasons.ts'

/**
 * What the other side, an arbitrator or the service said last: why a delivery was rejected, the verdict, the
 * appeal.
 */
export function Told({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  return (
    <>
      <Rejected order={order} />
      {order.dispute_urn ? <Disputed urn={urnString('dispute', order.dispute_urn.body)} viewer={viewer} /> : null}
    </>
  )
}

function Rejected({ order: { state, reason, deliveries } }: { order: OrderBody }) {
  if (reason === null) return null
  if (state === 'cancelled') {
    return (
      <Section title={t('Reason for cancellation')}>
        <p>{reasonText(reason)}</p>
      </Section>
    )
  }
  // Later the decision says more than this reason.
  if (state !== 'rejected' && state !== 'disputed' && state !== 'delivered') return null
  const number = state === 'delivered' ? deliveries - 1 : deliveries
  return (
    <Section title={t('Reason for rejection of delivery {number}', { number })}>
      <p className={styles.words}>{reason}</p>
    </Section>
  )
}

function Disputed({ urn, viewer: { agent } }: { urn: string; viewer: Viewer }) {
  const { data: dispute } = useRead('getDispute', { params: { urn } }, { pollMs: 10_000 })
  const verdictUrn = urnString('verdict', dispute?.verdict_urn?.body ?? '')
  const { data: verdict } = useRead(
    'getVerdict',
    { params: { urn: verdictUrn }, agent },
    { enabled: dispute?.verdict_urn !== undefined },
  )
  if (!dispute) return null
  const record = <Link href={pathTo('dispute', { id: dispute.urn.body })}>{t('The dispute')}</Link>
  const appeal = <Appealed dispute={dispute} />
  if (!verdict)
    return (
      <p>
        <Trans message="{dispute} is not decided yet." dispute={record} />
      </p>
    )
  const { split, price } = verdict.signed.document
  const decision = (
    <Section title={verdict.winner === 'party_a' ? t('Verdict for the buyer') : t('Verdict for the seller')}>
      <p className={styles.words}>{verdict.grounds}</p>
      <p className="muted small">
        <Trans
          message="{refund} of {price} USDC go back to the buyer"
          refund={<Amount value={split.buyer} />}
          price={<Amount value={price} />}
        />
        {' · '}
        <Time at={verdict.decided_at} relative={false} />
        {dispute.state === 'decided' && verdict.appeal_until ? (
          <>
            {' · '}
            <Trans message="can be appealed until {time}" time={<Time at={verdict.appeal_until} />} />
          </>
        ) : null}
        {' · '}
        {record}
      </p>
    </Section>
  )
  // The second verdict is the answer to the appeal.
  return (
    <>
      {verdict.sequence > 1 ? appeal : decision}
      {verdict.sequence > 1 ? decision : appeal}
    </>
  )
}

/** The appeal that was paid for, with what both sides say on it. */
function Appealed({ dispute }: { dispute: Body<'getDispute'> }) {
  const paid = dispute.appeals.find(({ paid_at }) => paid_at !== undefined)
  if (!paid?.paid_at) return null
  return (
    <Section
      title={t('{party, select, buyer {Appeal of the buyer} other {Appeal of the seller}}', { party: paid.party })}
    >
      {dispute.appeal_statements.map(({ party, statement }) => (
        <p key={party} className={styles.words}>
          {party === paid.party
            ? statement
            : t('{party, select, buyer {The buyer answers: {text}} other {The seller answers: {text}}}', {
                party,
                text: statement,
              })}
        </p>
      ))}
      <p className="muted small">
        <Trans message="A person decides again, for a fee of {amount} USDC" amount={<Amount value={paid.fee} />} />
        {' · '}
        <Time at={paid.paid_at} />
      </p>
    </Section>
  )
}
