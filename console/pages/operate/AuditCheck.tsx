import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { keepPlace, keptPlace } from '../../data/auditPlace.ts'
import { market } from '../../data/market.ts'
import { Button } from '../../ui/Button.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { HealthBadge } from './HealthBadge.tsx'

/** Recomputes every hash of the log here, in this browser, up to the signed head; and remembers where it came to. */
export function AuditCheck() {
  const [kept] = useState(keptPlace)
  const check = useMutation({
    mutationFn: async () => {
      const { verifyAuditLog, AUDIT_START } = await import('../../../sdk/auditLog.ts')
      const { body } = await market.call('getKeys', {})
      const place = await verifyAuditLog(market, body.keys, kept ?? AUDIT_START)
      keepPlace({ position: place.position, hash: place.hash })
      return place
    },
  })
  return (
    <Section title="Check it here">
      <p className="muted">
        Every hash is recomputed in this browser, and the last one compared with the signed head.
        {kept
          ? ` It goes on from entry ${kept.position}, which was checked here before: a log that was rewritten since is found out.`
          : ' Where it comes to is kept, so that a log that is rewritten later is found out.'}
      </p>
      <div className="row">
        <Button kind="primary" busy={check.isPending} onClick={() => check.mutate()}>
          Check the chain
        </Button>
        {check.data ? (
          <span role="status">
            <HealthBadge isAlive word={`whole up to entry ${check.data.position}`} /> <Hash value={check.data.hash} />{' '}
            {check.data.heads.map(({ document }) => `Held against the head signed at ${document.as_of}.`).join(' ')}
          </span>
        ) : null}
      </div>
      <Problem error={check.error} />
    </Section>
  )
}
