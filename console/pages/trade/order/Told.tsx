import { Link } from 'wouter'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Body, useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'
import { reasonText } from './cancelReasons.ts'
import styles from './Order.module.css'
import type { OrderBody, Viewer } from './Order.tsx'

/** What the other side, an arbitrator or the service said last: why a delivery was rejected, the verdict, the appeal. */
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
      <Section title="Why it ended">
        <p>{reasonText(reason)}</p>
      </Section>
    )
  }
  // Later the decision says more than this reason.
  if (state !== 'rejected' && state !== 'disputed' && state !== 'delivered') return null
  const number = state === 'delivered' ? deliveries - 1 : deliveries
  return (
    <Section title={`Why delivery ${number} was rejected`}>
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
  const record = <Link href={pathTo('dispute', { id: dispute.urn.body })}>The dispute</Link>
  const appeal = <Appealed dispute={dispute} />
  if (!verdict) return <p>{record} is not decided yet.</p>
  const { split, price } = verdict.signed.document
  const decision = (
    <Section title={`Verdict for the ${verdict.winner === 'party_a' ? 'buyer' : 'seller'}`}>
      <p className={styles.words}>{verdict.grounds}</p>
      <p className="muted small">
        <Amount value={split.buyer} /> of <Amount value={price} /> USDC go back to the buyer ·{' '}
        <Time at={verdict.decided_at} relative={false} />
        {dispute.state === 'decided' && verdict.appeal_until ? (
          <>
            {' '}
            · can be appealed until <Time at={verdict.appeal_until} />
          </>
        ) : null}{' '}
        · {record}
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
    <Section title={`Appeal of the ${paid.party}`}>
      {dispute.appeal_statements.map(({ party, statement }) => (
        <p key={party} className={styles.words}>
          {party === paid.party ? '' : `The ${party} answers: `}
          {statement}
        </p>
      ))}
      <p className="muted small">
        A person decides again, for a fee of <Amount value={paid.fee} /> USDC · <Time at={paid.paid_at} />
      </p>
    </Section>
  )
}
