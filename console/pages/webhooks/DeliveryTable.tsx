import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

/** A delivery as a list shows it. */
interface ListedDelivery {
  id: string
  event_type: string
  status: string
  response_status?: number | null
  failure?: string | null
  attempts: number
  created_at: string
}

interface Props {
  list: { items: readonly ListedDelivery[] | undefined; error: unknown; more: (() => void) | undefined }
  empty: string
  /** Sends a delivery again that was given up. */
  replay: (id: string) => Promise<unknown>
  /** Opens one delivery. */
  show: (delivery: ListedDelivery, onClose: () => void) => ReactNode
}

/** The deliveries to a webhook, with the receiver's last answer to each. */
export function DeliveryTable({ list, empty, replay, show }: Props) {
  const [shown, setShown] = useState<ListedDelivery>()
  const again = useMutation({ mutationFn: replay })
  return (
    <>
      <Problem error={again.error} />
      <Table
        caption="Deliveries, newest first"
        rows={list.items}
        error={list.error}
        more={list.more}
        keyOf={({ id }) => id}
        empty={<p>{empty}</p>}
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
                <Button busy={again.isPending && again.variables === id} onClick={() => again.mutate(id)}>
                  Replay
                </Button>
              ) : null,
          },
        ]}
      />
      {shown ? show(shown, () => setShown(undefined)) : null}
    </>
  )
}
