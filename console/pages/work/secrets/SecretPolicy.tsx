import { useChange, useRead } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'

/** Whether an agent asks its human before a secret is revealed to it. */
export function SecretPolicy({ org, isManager }: { org: string; isManager: boolean }) {
  const { data, error } = useRead('getSecretPolicy', { params: { org } })
  const set = useChange('setSecretPolicy', ['getSecretPolicy'])
  if (!data) return <Problem error={error} />
  return (
    <Section title="Agents">
      <div className="row spread">
        <p>
          {data.agents_ask
            ? 'An agent asks its human each time before a secret is revealed to it.'
            : 'Agents reveal secrets without asking their humans.'}
        </p>
        {isManager ? (
          <Button
            busy={set.isPending}
            onClick={() => set.mutate({ params: { org }, body: { agents_ask: !data.agents_ask } })}
          >
            {data.agents_ask ? 'Let them reveal without asking' : 'Have them ask'}
          </Button>
        ) : null}
      </div>
      <Problem error={set.error} />
    </Section>
  )
}
