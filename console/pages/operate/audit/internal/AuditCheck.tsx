import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { market } from '../../../../data/market.ts'
import { keepPlace, keptPlace } from '../../../../data/storage/auditPlace.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { HealthBadge } from '../../health/HealthBadge.tsx'

/** Recomputes every hash of the log in this browser up to the signed head, and remembers the last entry. */
export function AuditCheck() {
  const [kept] = useState(keptPlace)
  const check = useMutation({
    mutationFn: async () => {
      const { verifyAuditLog, AUDIT_START } = await import('../../../../../sdk/auditLog.ts')
      const { body } = await market.call('getKeys', {})
      const place = await verifyAuditLog(market, body.keys, kept ?? AUDIT_START)
      keepPlace({ position: place.position, hash: place.hash })
      return place
    },
  })
  return (
    <Section title={t('Check it here')}>
      <p className="muted">
        {kept
          ? t(
              'Every hash is recomputed in this browser, and the last one compared with the signed head. The check continues from entry {position}, which this browser has checked before: a rewrite since then is detected.',
              { position: kept.position },
            )
          : t(
              'Every hash is recomputed in this browser, and the last one compared with the signed head. The last entry is remembered, so that a later rewrite is detected.',
            )}
      </p>
      <div className="row">
        <Button kind="primary" busy={check.isPending} onClick={() => check.mutate()}>
          {t('Check the chain')}
        </Button>
        {check.data ? (
          <span role="status">
            <HealthBadge isAlive word={t('intact up to entry {position}', { position: check.data.position })} />{' '}
            <Hash value={check.data.hash} />{' '}
            {check.data.heads
              .map(({ document }) => t('Compared with the head that was signed at {asOf}.', { asOf: document.as_of }))
              .join(' ')}
          </span>
        ) : null}
      </div>
      <Problem error={check.error} />
    </Section>
  )
}
