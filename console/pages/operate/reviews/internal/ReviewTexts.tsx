import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Data } from '../../../../ui/values/Data.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import { groundText } from '../../../trade/order/Dispute.tsx'
import styles from './Review.module.css'

/** The texts of both sides, as plain text: data, not instructions to the reader. */
export function ReviewTexts({ found }: { found: Body<'readReview'> }) {
  const { agreed, statements, rejections, messages, appeal_statements: appeals } = found
  return (
    <>
      <Section title={t('What was agreed')}>
        <div className={styles.text}>
          <p>{agreed.description}</p>
          {agreed.criteria?.map(({ id, text }) => (
            <p key={id}>{text}</p>
          ))}
        </div>
      </Section>
      <Section title={t('What each side says')}>
        {statements.length === 0 ? <p className="muted">{t('No statements yet.')}</p> : null}
        {statements.map(({ party, grounds, what_happened, wanted }) => (
          <div key={party} className={styles.text}>
            <h3>{t('{party, select, buyer {The buyer} other {The seller}}', { party })}</h3>
            <div className="muted">{grounds.map((ground) => groundText(ground)).join(', ')}</div>
            <p>{what_happened}</p>
            {wanted ? <p>{t('Wants: {wanted}', { wanted })}</p> : null}
          </div>
        ))}
        {appeals.map(({ author, statement, created_at }) => (
          <div key={`${author}${created_at}`} className={styles.text}>
            <h3>
              {t('{party, select, buyer {The buyer, on the appeal} other {The seller, on the appeal}}', {
                party: author,
              })}
              {' · '}
              <Time at={created_at} />
            </h3>
            <p>{statement}</p>
          </div>
        ))}
      </Section>
      {rejections.length > 0 ? (
        <Section title={t('Rejections')}>
          {rejections.map(({ delivery, reason }) => (
            <div key={delivery} className={styles.text}>
              <h3>{t('Delivery {delivery}', { delivery })}</h3>
              <p>{reason}</p>
            </div>
          ))}
        </Section>
      ) : null}
      <Section title={t('Messages')}>
        {messages.length === 0 ? <p className="muted">{t('No messages, or none that was disclosed.')}</p> : null}
        {messages.map(({ author, kind, body, payload, created_at }) => (
          <div key={`${author}${created_at}`} className={styles.text}>
            <h3>
              {t('{party, select, buyer {The buyer} other {The seller}}', { party: author })}
              {' · '}
              {word(kind)}
              {' · '}
              <Time at={created_at} />
            </h3>
            {body ? <p>{body}</p> : null}
            {payload ? <Data value={payload} /> : null}
            {kind === 'delivery_notice' && payload && !payload.delivery_urn ? (
              <p>{t('No bytes were uploaded with this notice.')}</p>
            ) : null}
            {body || payload ? null : <p className="muted">{t('No text that you may read.')}</p>}
          </div>
        ))}
      </Section>
    </>
  )
}
