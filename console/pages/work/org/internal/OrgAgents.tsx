import { useState } from 'react'
import { useAll } from '../../../../data/all.ts'
import { usePeople } from '../../../../data/org.ts'
import { useChange, useList } from '../../../../data/queries.ts'
import { urnOf } from '../../../../data/urn.ts'
import { Trans } from '../../../../texts/Trans.tsx'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Avatar } from '../../../../ui/pictures/Avatar.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { AddOrgAgent } from './AddOrgAgent.tsx'
import { KillSwitch } from './KillSwitch.tsx'

const CHANGES = ['listOrgAgents'] as const

interface Leaving {
  agent_urn: string
  name: string
}

/** The agents that are members: paused, resumed and revoked one by one, or all shut out at once. */
export function OrgAgents({ org, isManager }: { org: string; isManager: boolean }) {
  const { items, error, more } = useList('listOrgAgents', { params: { org } })
  const { nameOf } = usePeople(org)
  const { data: own = [] } = useAll('listAgents', {})
  const pause = useChange('pauseOrgAgent', CHANGES)
  const resume = useChange('resumeOrgAgent', CHANGES)
  const [leaving, setLeaving] = useState<Leaving>()
  const mine = new Set(own.map(({ urn }) => urn.body))
  return (
    <Section title={t('Agents')}>
      <KillSwitch org={org} isManager={isManager} />
      <Problem error={pause.error ?? resume.error} />
      <Table
        caption={t('Agents of the org')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ agent_urn }) => agent_urn.body}
        empty={
          <p>{t('No agent is listed. Add one of yours: it reads and writes here with the scopes of its token.')}</p>
        }
        columns={[
          {
            title: t('Agent'),
            cell: ({ agent_urn, display_name }) => (
              <span className="row">
                <Avatar id={agent_urn.body} name={display_name} /> {display_name}
              </span>
            ),
          },
          { title: t('State'), cell: ({ state }) => <State name={state} /> },
          { title: t('Owner'), cell: ({ owner_urn }) => nameOf(owner_urn.body) },
          {
            title: t('Change'),
            cell: ({ agent_urn, display_name, state }) => {
              const params = { org, agent_urn: urnOf('agent', agent_urn.body) }
              if (state === 'revoked' || !(isManager || mine.has(agent_urn.body))) return null
              return (
                <span className="row">
                  {state === 'active' ? (
                    <Button
                      aria-label={t('Pause {name}', { name: display_name })}
                      onClick={() => pause.mutate({ params })}
                    >
                      {t('Pause')}
                    </Button>
                  ) : (
                    <Button
                      aria-label={t('Resume {name}', { name: display_name })}
                      onClick={() => resume.mutate({ params })}
                    >
                      {t('Resume')}
                    </Button>
                  )}
                  <Button
                    kind="danger"
                    aria-label={t('Revoke {name}', { name: display_name })}
                    onClick={() => setLeaving({ agent_urn: params.agent_urn, name: display_name })}
                  >
                    {t('Revoke')}
                  </Button>
                </span>
              )
            },
          },
        ]}
      />
      <AddOrgAgent org={org} listed={items?.map(({ agent_urn }) => agent_urn.body) ?? []} />
      {leaving ? <Revoke org={org} agent={leaving} onClose={() => setLeaving(undefined)} /> : null}
    </Section>
  )
}

function Revoke({ org, agent, onClose }: { org: string; agent: Leaving; onClose: () => void }) {
  const revoke = useChange('revokeOrgAgent', CHANGES)
  return (
    <FormDialog
      title={t('Revoke an agent')}
      submit={t('Revoke')}
      isDanger
      onClose={onClose}
      onSubmit={() => revoke.mutateAsync({ params: { org, agent_urn: agent.agent_urn } })}
    >
      <p>
        <Trans
          message="<strong>{name}</strong> loses access to the org for good. Its tokens still work on the market and in other orgs."
          name={agent.name}
        />
      </p>
    </FormDialog>
  )
}
