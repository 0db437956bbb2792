import { useChange, useList } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Section } from '../../ui/Section.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

/** What was sent to somebody's webhook, to be sent again. */
export function AnyDeliveries({ urn, url }: { urn: string; url: string }) {
  const input = { params: { urn } }
  const { items, error, more } = useList('listAnyWebhookDeliveries', input, { pollMs: 5_000 })
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
          { title: 'Event', cell: ({ event_type }) => <span className="mono">{event_type}</span> },
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
    </Section>
  )
}
