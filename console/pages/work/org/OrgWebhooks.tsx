import { useState } from 'react'
import { useChange, useList } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Secret } from '../../../ui/Secret.tsx'
import { Section } from '../../../ui/Section.tsx'
import { State } from '../../../ui/State.tsx'
import { Table } from '../../../ui/Table.tsx'
import { NewOrgWebhook } from './NewOrgWebhook.tsx'
import { OrgWebhook } from './OrgWebhook.tsx'

const REASONS: Record<string, string> = {
  owner: 'by a manager of the org',
  failing: 'since every attempt failed: resume it when its receiver is well again',
  gone: 'since its receiver answered 410',
  operator: 'by an operator',
  no_access: 'since who chose its URL may not manage it any more: resume it, and you answer for it',
}

/** Where the events of the org are posted to. */
export function OrgWebhooks({ org }: { org: string }) {
  const { items, error, more } = useList('listOrgWebhooks', { params: { org } })
  const update = useChange('updateOrgWebhook', ['listOrgWebhooks'])
  const [isNew, setNew] = useState(false)
  const [opened, setOpened] = useState<string>()
  const [secret, setSecret] = useState<string>()
  const shown = items?.find(({ id }) => id === opened)
  return (
    <Section title="Webhooks" actions={<Button onClick={() => setNew(true)}>New webhook</Button>}>
      <Problem error={update.error} />
      <Table
        caption="Webhooks of the org"
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>Events of the org can be posted to a URL of yours, signed. None is.</p>}
        columns={[
          { title: 'URL', cell: ({ url }) => url },
          {
            title: 'State',
            cell: ({ status, status_reason }) => (
              <>
                <State name={status} />
                {status_reason ? <span className="muted"> {REASONS[status_reason]}</span> : null}
              </>
            ),
          },
          { title: 'Events', cell: ({ events }) => events.join(', ') },
          {
            title: 'Change',
            cell: ({ id, status, url }) => (
              <span className="row">
                <Button aria-label={`Deliveries to ${url}`} onClick={() => setOpened(id)}>
                  Deliveries
                </Button>
                <Button
                  aria-label={`${status === 'active' ? 'Pause' : 'Resume'} ${url}`}
                  onClick={() =>
                    update.mutate({ params: { org, id }, body: { status: status === 'active' ? 'paused' : 'active' } })
                  }
                >
                  {status === 'active' ? 'Pause' : 'Resume'}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {shown ? (
        <OrgWebhook org={org} webhook={shown} onSecret={setSecret} onClose={() => setOpened(undefined)} />
      ) : null}
      {isNew ? (
        <NewOrgWebhook
          org={org}
          onClose={() => setNew(false)}
          onCreated={(made) => {
            setNew(false)
            setSecret(made)
          }}
        />
      ) : null}
      {secret ? (
        <Dialog title="The webhook's secret" onClose={() => setSecret(undefined)}>
          <Secret value={secret} about="Its deliveries are signed with this." />
        </Dialog>
      ) : null}
    </Section>
  )
}
