import { useState } from 'react'
import { useAll } from '../../../data/all.ts'
import { usePeople } from '../../../data/org.ts'
import { useChange, useList } from '../../../data/queries.ts'
import { urnOf } from '../../../data/urn.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Button } from '../../../ui/Button.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import { State } from '../../../ui/State.tsx'
import { Table } from '../../../ui/Table.tsx'
import { AddOrgAgent } from './AddOrgAgent.tsx'
import { KillSwitch } from './KillSwitch.tsx'

const CHANGES = ['listOrgAgents'] as const

/** The agents that are members: paused, resumed and revoked one by one, or all shut out at once. */
export function OrgAgents({ org, isManager }: { org: string; isManager: boolean }) {
  const { items, error, more } = useList('listOrgAgents', { params: { org } })
  const { nameOf } = usePeople(org)
  const { data: own = [] } = useAll('listAgents', {})
  const pause = useChange('pauseOrgAgent', CHANGES)
  const resume = useChange('resumeOrgAgent', CHANGES)
  const revoke = useChange('revokeOrgAgent', CHANGES)
  const [leaving, setLeaving] = useState<{ agent_urn: string; name: string }>()
  const mine = new Set(own.map(({ urn }) => urn.body))
  const close = () => setLeaving(undefined)
  return (
    <Section title="Agents">
      <KillSwitch org={org} isManager={isManager} />
      <Problem error={pause.error ?? resume.error} />
      <Table
        caption="Agents of the org"
        rows={items}
        error={error}
        more={more}
        keyOf={({ agent_urn }) => agent_urn.body}
        empty={<p>No agent is listed. Add one of yours: it reads and writes here with the scopes of its token.</p>}
        columns={[
          {
            title: 'Agent',
            cell: ({ agent_urn, display_name }) => (
              <span className="row">
                <Avatar id={agent_urn.body} name={display_name} /> {display_name}
              </span>
            ),
          },
          { title: 'State', cell: ({ state }) => <State name={state} /> },
          { title: 'Owner', cell: ({ owner_urn }) => nameOf(owner_urn.body) },
          {
            title: 'Change',
            cell: ({ agent_urn, display_name, state }) => {
              const params = { org, agent_urn: urnOf('agent', agent_urn.body) }
              if (state === 'revoked' || !(isManager || mine.has(agent_urn.body))) return null
              return (
                <span className="row">
                  {state === 'active' ? (
                    <Button aria-label={`Pause ${display_name}`} onClick={() => pause.mutate({ params })}>
                      Pause
                    </Button>
                  ) : (
                    <Button aria-label={`Resume ${display_name}`} onClick={() => resume.mutate({ params })}>
                      Resume
                    </Button>
                  )}
                  <Button
                    kind="danger"
                    aria-label={`Revoke ${display_name}`}
                    onClick={() => setLeaving({ agent_urn: params.agent_urn, name: display_name })}
                  >
                    Revoke
                  </Button>
                </span>
              )
            },
          },
        ]}
      />
      <AddOrgAgent org={org} listed={items?.map(({ agent_urn }) => agent_urn.body) ?? []} />
      {leaving ? (
        <FormDialog
          title="Revoke an agent"
          submit="Revoke"
          isDanger
          onClose={close}
          onSubmit={() => revoke.mutateAsync({ params: { org, agent_urn: leaving.agent_urn } })}
        >
          <p>
            <strong>{leaving.name}</strong> loses access to the org for good. Its tokens still work on the market and in
            other orgs.
          </p>
        </FormDialog>
      ) : null}
    </Section>
  )
}
