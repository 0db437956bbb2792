import { useState } from 'react'
import { type Body, useChange, useList, useRead } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { DeliveryDialog } from '../account/DeliveryDialog.tsx'

type Delivery = Body<'listAnyWebhookDeliveries'>['deliveries'][number]

/** What was sent to somebody's webhook, to be sent again. */
export function AnyDeliveries({ urn, url }: { urn: string; url: string }) {
  const input = { params: { urn } }
  const { items, error, more } = useList('listAnyWebhookDeliveries', input, { pollMs: 5_000 })
  const [shown, setShown] = useState<Delivery>()
  const replay = useChange('replayAnyWebhookDelivery', ['listAnyWebhookDeliveries'])
  return (
    <Section title={`Deliveries to ${url}`}>
      <Problem error={replay.error} />
      <Table
        caption="Deliveries"
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>Nothing has been sent to it yet.</p>}
        columns={[
          {
            title: 'Event',
            cell: (delivery) => (
              <Button kind="quiet" onClick={() => setShown(delivery)}>
                <span className="mono">{delivery.event_type}</span>
              </Button>
            ),
          },
          { title: 'State', cell: ({ status }) => <State name={status} /> },
          {
            title: 'Answer',
            isLabelled: true,
            cell: ({ response_status, failure }) => response_status ?? failure?.replaceAll('_', ' ') ?? '–',
          },
          { title: 'Attempts', isLabelled: true, isNumber: true, cell: ({ attempts }) => attempts },
          { title: 'Created', isLabelled: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: 'Change',
            cell: ({ id, status }) =>
              status === 'dead_letter' ? (
                <Button
                  busy={replay.isPending && replay.variables.params.id === id}
                  onClick={() => replay.mutate({ params: { urn, id } })}
                >
                  Replay
                </Button>
              ) : null,
          },
        ]}
      />
      {shown ? <Shown urn={urn} delivery={shown} onClose={() => setShown(undefined)} /> : null}
    </Section>
  )
}

function Shown({ urn, delivery, onClose }: { urn: string; delivery: Delivery; onClose: () => void }) {
  const { data, error } = useRead('getAnyWebhookDelivery', { params: { urn, id: delivery.id } })
  return <DeliveryDialog title={delivery.event_type} delivery={data} error={error} onClose={onClose} />
}
