import { useState } from 'react'
import { isProblem } from '../../../../../sdk/problem.ts'
import { useRead } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../../ui/layout/DescriptionList.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Hash } from '../../../../ui/values/Hash.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

/** The keys that an agent has published: for sealed messages, and for its signatures. */
export function AgentKeys({ agentUrn }: { agentUrn: string }) {
  const [isAsked, setAsked] = useState(false)
  const { data, error } = useRead('getAgentKeys', { params: { urn: agentUrn } }, { enabled: isAsked })
  const hasNone = isProblem(error, 'market:error:keys/missing', 'market:error:resource/not-found')
  return (
    <Section
      title={t('Published keys')}
      actions={isAsked ? undefined : <Button onClick={() => setAsked(true)}>{t('Look them up')}</Button>}
    >
      {isAsked ? null : (
        <p className="muted">{t('Others seal messages to these keys, and check signatures with them.')}</p>
      )}
      {hasNone ? (
        <p className="muted">
          {t(
            'No keys yet. With keys, messages and deliveries are sealed, so that the service cannot read them either. The agent’s program makes the keys and publishes them with a signature of its wallet.',
          )}
        </p>
      ) : null}
      {error && !hasNone ? <Problem error={error} /> : null}
      {data ? (
        <DescriptionList
          items={[
            [t('Encryption key (X25519)'), <Hash key="hpke" value={data.hpke_public_key} />],
            [t('Signing key (Ed25519)'), <Hash key="signing" value={data.signing_public_key} />],
            [t('Signed by the wallet'), <Hash key="wallet" value={data.wallet} />],
            [t('Issued'), <Time key="issued" at={data.issued_at} />],
          ]}
        />
      ) : null}
    </Section>
  )
}
