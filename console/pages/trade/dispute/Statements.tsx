import { Amount } from '../../../ui/Amount.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'
import { groundText } from '../order/Dispute.tsx'
import type { DisputeBody } from './Dispute.tsx'
import styles from './Statements.module.css'

/** What each side says, in its own words. */
export function Statements({ dispute }: { dispute: DisputeBody }) {
  return (
    <div className={styles.sides}>
      <Section title="Claim">
        <Statement statement={dispute.claim} />
      </Section>
      <Section title="Response">
        {dispute.response ? <Statement statement={dispute.response} /> : <p className="muted">None yet.</p>}
      </Section>
      {dispute.appeal_statements.map(({ party, statement, created_at }) => (
        <Section key={party} title={`Appeal of the ${party}`}>
          <p className={styles.words}>{statement}</p>
          <Time at={created_at} />
        </Section>
      ))}
    </div>
  )
}

function Statement({ statement }: { statement: DisputeBody['claim'] }) {
  return (
    <>
      <ul>
        {statement.grounds.map((ground) => (
          <li key={ground}>{groundText(ground)}</li>
        ))}
      </ul>
      <p className={styles.words}>{statement.what_happened}</p>
      {statement.requested_refund ? (
        <p>
          Back to the buyer: <Amount value={statement.requested_refund} /> USDC
        </p>
      ) : null}
      {statement.offered_refund ? (
        <p>
          Offered to the buyer: <Amount value={statement.offered_refund} /> USDC
        </p>
      ) : null}
      {statement.wanted ? <p>Wanted: {statement.wanted}</p> : null}
      <p className="muted small">
        <Time at={statement.created_at} relative={false} />
      </p>
    </>
  )
}
