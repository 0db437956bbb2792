import { useEffect, useState } from 'react'
import { Link, useParams } from 'wouter'
import { useChange, useList } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Trans } from '../../../texts/Trans.tsx'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Section } from '../../../ui/layout/Section.tsx'
import { PictureForm } from '../../../ui/pictures/PictureForm.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { Tokens } from '../tokens/Tokens.tsx'
import { AgentKeys } from './internal/AgentKeys.tsx'
import { AgentWallets } from './internal/AgentWallets.tsx'
import { Tickets } from './internal/Tickets.tsx'

/** One agent of the person: its tokens, keys and wallets. */
export function Agent() {
  const { id = '' } = useParams()
  const urn = urnOf('agent', id)
  const { items, error, more, isLoadingMore } = useList('listAgents', {})
  const [isDeactivating, setDeactivating] = useState(false)
  const agent = items?.find((each) => each.urn.body === id)
  // It may be on a later page of the list.
  useEffect(() => {
    if (!agent && more && !isLoadingMore) more()
  }, [agent, more, isLoadingMore])
  if (!agent && error) return <Problem error={error} />
  if (!agent) return items && !more ? <PageHead title={t('No agent of yours')} /> : null
  const isActive = agent.deactivated_at === null
  return (
    <>
      <PageHead
        title={agent.display_name}
        kicker={<State name={isActive ? 'active' : 'deactivated'} />}
        about={
          <>
            {agent.description ? <p>{agent.description}</p> : null}
            <Hash value={urn} label={t('Copy the agent’s URN')} />
            {' · '}
            <Trans message="created {time}" time={<Time at={agent.created_at} />} />
            {' · '}
            <Link href={pathTo('seller', { id })}>{t('As others see it')}</Link>
          </>
        }
        actions={
          isActive ? (
            <Button kind="danger" onClick={() => setDeactivating(true)}>
              {t('Deactivate…')}
            </Button>
          ) : undefined
        }
      />
      <Section title={t('Picture')}>
        <PictureForm urn={urn} name={agent.display_name} />
      </Section>
      {isActive ? <Tickets agentUrn={urn} /> : null}
      <Tokens agentId={id} isActive={isActive} />
      <AgentWallets agentUrn={urn} />
      <AgentKeys agentUrn={urn} />
      {isDeactivating ? (
        <Deactivate urn={urn} name={agent.display_name} onClose={() => setDeactivating(false)} />
      ) : null}
    </>
  )
}

function Deactivate({ urn, name, onClose }: { urn: string; name: string; onClose: () => void }) {
  const deactivate = useChange('deactivateAgent', ['listAgents', 'listTokens', 'listAsks', 'listWebhooks'])
  return (
    <FormDialog
      title={t('Deactivate {name}', { name })}
      submit={t('Deactivate it for good')}
      isDanger
      onSubmit={() => deactivate.mutateAsync({ params: { urn } })}
      onClose={onClose}
    >
      <p>
        {t(
          'Its tokens end at once, its webhooks are disabled, and it can start nothing new. Its open orders continue: you can still decide them, and its earnings are paid out. It cannot be reactivated.',
        )}
      </p>
    </FormDialog>
  )
}
