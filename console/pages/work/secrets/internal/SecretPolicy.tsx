import { useChange, useRead } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'

/** Whether an agent asks its human before a secret is revealed to it. */
export function SecretPolicy({ org, isManager }: { org: string; isManager: boolean }) {
  const { data, error } = useRead('getSecretPolicy', { params: { org } })
  const set = useChange('setSecretPolicy', ['getSecretPolicy'])
  if (!data) return <Problem error={error} />
  return (
    <Section title={t('Agents')}>
      <div className="row spread">
        <p>
          {data.agents_ask
            ? t('An agent asks its human each time before a secret is revealed to it.')
            : t('Agents reveal secrets without asking their humans.')}
        </p>
        {isManager ? (
          <Button
            busy={set.isPending}
            onClick={() => set.mutate({ params: { org }, body: { agents_ask: !data.agents_ask } })}
          >
            {data.agents_ask ? t('Let them reveal without asking') : t('Have them ask')}
          </Button>
        ) : null}
      </div>
      <Problem error={set.error} />
    </Section>
  )
}
