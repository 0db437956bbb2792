import { useState } from 'react'
import { type Body, useChange, useList, useRead } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import type { WebhookInput } from './WebhookActions.tsx'

type Delivery = Body<'listWebhookDeliveries'>['deliveries'][number]

/** What was sent to a webhook, and what its receiver answered. */
export function Deliveries({ input }: { input: WebhookInput }) {
  const { items, error, more } = useList('listWebhookDeliveries', input, { pollMs: 5_000 })
  const replay = useChange('replayWebhookDelivery', ['listWebhookDeliveries'])
  const [shown, setShown] = useState<Delivery>()
  return (
    <Section title="Deliveries">
      <Problem error={replay.error} />
      <Table
        caption="Deliveries of this webhook"
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>Nothing has been sent yet. Send a test to see whether your receiver answers.</p>}
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
                  onClick={() => replay.mutate({ ...input, params: { ...input.params, id } })}
                >
                  Replay
                </Button>
              ) : null,
          },
        ]}
      />
      {shown ? <Shown input={input} delivery={shown} onClose={() => setShown(undefined)} /> : null}
    </Section>
  )
}

function Shown({ input, delivery, onClose }: { input: WebhookInput; delivery: Delivery; onClose: () => void }) {
  const { data, error } = useRead('getWebhookDelivery', { ...input, params: { ...input.params, id: delivery.id } })
  return <DeliveryDialog title={delivery.event_type} delivery={data} error={error} onClose={onClose} />
}
