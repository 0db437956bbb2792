import type { Body } from '../../../../data/queries.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { groundText } from '../../order/Dispute.tsx'
import styles from './Statements.module.css'

/** What each side says, in its own words. */
export function Statements({ dispute }: { dispute: Body<'getDispute'> }) {
  return (
    <div className={styles.sides}>
      <Section title={t('Claim')}>
        <Statement statement={dispute.claim} />
      </Section>
      <Section title={t('Response')}>
        {dispute.response ? <Statement statement={dispute.response} /> : <p className="muted">{t('None yet.')}</p>}
      </Section>
      {dispute.appeal_statements.map(({ party, statement, created_at }) => (
        <Section
          key={party}
          title={t('{party, select, buyer {Appeal of the buyer} other {Appeal of the seller}}', { party })}
        >
          <p className={styles.words}>{statement}</p>
          <Time at={created_at} />
        </Section>
      ))}
    </div>
  )
}

function Statement({ statement }: { statement: Body<'getDispute'>['claim'] }) {
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
          <Trans message="Back to the buyer: {amount} USDC" amount={<Amount value={statement.requested_refund} />} />
        </p>
      ) : null}
      {statement.offered_refund ? (
        <p>
          <Trans message="Offered to the buyer: {amount} USDC" amount={<Amount value={statement.offered_refund} />} />
        </p>
      ) : null}
      {statement.wanted ? <p>{t('Wanted: {wanted}', { wanted: statement.wanted })}</p> : null}
      <p className="muted small">
        <Time at={statement.created_at} relative={false} />
      </p>
    </>
  )
}
