import { useState } from 'react'
import { useList } from '../../data/queries.ts'
import { urnText } from '../../data/urn.ts'
import { OperatorOnly } from '../../session/OperatorOnly.tsx'
import { Button } from '../../ui/Button.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { AdminDeliveries } from './AdminDeliveries.tsx'
import { SwitchWebhook } from './SwitchWebhook.tsx'
import { WebhookState } from './WebhookState.tsx'

/** The webhooks of all accounts, with their deliveries. */
export function AdminWebhooks() {
  return (
    <OperatorOnly>
      <PageHead
        title="All webhooks"
        about="Webhooks of all accounts, to help owners who do not receive their events."
      />
      <List />
    </OperatorOnly>
  )
}

function List() {
  const { items, error, more } = useList('listAllWebhooks', {})
  const [shown, setShown] = useState<{ urn: string; url: string }>()
  return (
    <>
      <Section title="Webhooks">
        <Table
          caption="Webhooks of everybody"
          rows={items}
          error={error}
          more={more}
          keyOf={({ urn }) => urn.body}
          empty={<p>Nobody has a webhook yet.</p>}
          columns={[
            { title: 'Address', cell: ({ url }) => <strong>{url}</strong> },
            { title: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
            {
              title: 'Owner',
              isLabelled: true,
              cell: ({ owner_urn: owner }) => (
                <>
                  {owner.prefix} <Hash value={owner.body} />
                </>
              ),
            },
            { title: 'Events', isLabelled: true, cell: ({ event_types }) => event_types.join(', ') },
            {
              title: 'Change',
              cell: ({ urn, url, status }) => (
                <div className="row">
                  <Button onClick={() => setShown({ urn: urnText(urn), url })}>Its deliveries</Button>
                  <SwitchWebhook urn={urnText(urn)} url={url} isDisabled={status === 'disabled'} />
                </div>
              ),
            },
          ]}
        />
      </Section>
      {shown ? <AdminDeliveries key={shown.urn} {...shown} /> : null}
    </>
  )
}
