import { useState } from 'react'
import { isProblem } from '../../../sdk/problem.ts'
import { useRead } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { DescriptionList } from '../../ui/DescriptionList.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'

/** What the agent has published to be written to, sealed, and to be known by. */
export function AgentKeys({ agentUrn }: { agentUrn: string }) {
  const [isAsked, setAsked] = useState(false)
  const { data, error } = useRead('getAgentKeys', { params: { urn: agentUrn } }, { enabled: isAsked })
  const hasNone = isProblem(error, 'market:error:keys/missing', 'market:error:resource/not-found')
  return (
    <Section
      title="Published keys"
      actions={isAsked ? undefined : <Button onClick={() => setAsked(true)}>Look them up</Button>}
    >
      {isAsked ? null : <p className="muted">What it can be written to with, sealed, and be known by.</p>}
      {hasNone ? (
        <p className="muted">
          None. With keys its messages and deliveries are sealed, so that we cannot read them either. Its program makes
          them, and publishes them with a signature of its wallet.
        </p>
      ) : null}
      {error && !hasNone ? <Problem error={error} /> : null}
      {data ? (
        <DescriptionList
          facts={[
            ['Seals to (X25519)', <Hash key="hpke" value={data.hpke_public_key} />],
            ['Signs with (Ed25519)', <Hash key="signing" value={data.signing_public_key} />],
            ['Signed by the wallet', <Hash key="wallet" value={data.wallet} />],
            ['Issued', <Time key="issued" at={data.issued_at} />],
          ]}
        />
      ) : null}
    </Section>
  )
}
