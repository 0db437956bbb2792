import { useState } from 'react'
import type { PageItem } from '../../../../sdk/market.ts'
import { useChange, useList, useRead } from '../../../data/queries.ts'
import { Attempts } from '../../../ui/Attempts.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { State } from '../../../ui/State.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Time } from '../../../ui/Time.tsx'

type Delivery = PageItem<'listOrgWebhookDeliveries'>

interface Props {
  org: string
  webhook: PageItem<'listOrgWebhooks'>
  onSecret: (secret: string) => void
  onClose: () => void
}

/** What was sent to a webhook, with a test, another secret, and its end. */
export function OrgWebhook({ org, webhook, onSecret, onClose }: Props) {
  const params = { org, id: webhook.id }
  const { items, error, more } = useList('listOrgWebhookDeliveries', { params }, { pollMs: 5_000 })
  const test = useChange('testOrgWebhook', ['listOrgWebhookDeliveries'])
  const rotate = useChange('rotateOrgWebhookSecret', ['listOrgWebhooks'])
  const remove = useChange('deleteOrgWebhook', ['listOrgWebhooks'])
  const [shown, setShown] = useState<Delivery>()
  const [asks, setAsks] = useState(false)
  return (
    <div className="stack">
      <h3>Deliveries to {webhook.url}</h3>
      <div className="row">
        <Button busy={test.isPending} onClick={() => test.mutate({ params })}>
          Send a test
        </Button>
        <Button
          busy={rotate.isPending}
          onClick={() => rotate.mutate({ params }, { onSuccess: ({ secret }) => onSecret(secret) })}
        >
          New secret
        </Button>
        <Button kind="danger" onClick={() => setAsks(true)}>
          Delete
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <Problem error={test.error ?? rotate.error} />
      <Table
        caption="Deliveries, the newest first"
        rows={items}
        error={error}
        more={more}
        keyOf={({ id }) => id}
        empty={<p>Nothing was sent yet. Send a test.</p>}
        columns={[
          {
            title: 'Event',
            cell: (delivery) => (
              <Button kind="quiet" onClick={() => setShown(delivery)}>
                <span className="mono">{delivery.type}</span>
              </Button>
            ),
          },
          { title: 'State', cell: ({ status }) => <State name={status} /> },
          { title: 'Answer', isNumber: true, cell: ({ status_code, failure }) => status_code ?? failure ?? '–' },
          { title: 'Took', isNumber: true, cell: ({ latency_ms }) => (latency_ms === null ? '–' : `${latency_ms} ms`) },
          { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.length },
          { title: 'Happened', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      {shown ? <Shown params={params} delivery={shown} onClose={() => setShown(undefined)} /> : null}
      {asks ? (
        <FormDialog
          title="Delete the webhook"
          submit="Delete"
          isDanger
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsks(false)}
          onSubmit={() => remove.mutate({ params }, { onSuccess: onClose })}
        >
          <p>Nothing more is sent to {webhook.url}, and its deliveries are forgotten.</p>
        </FormDialog>
      ) : null}
    </div>
  )
}

interface ShownProps {
  params: { org: string; id: string }
  delivery: Delivery
  onClose: () => void
}

function Shown({ params, delivery, onClose }: ShownProps) {
  const { data, error } = useRead('getOrgWebhookDelivery', { params: { ...params, delivery: delivery.id } })
  return (
    <Dialog title={delivery.type} onClose={onClose}>
      <Problem error={error} />
      {data ? <Attempts attempts={data.attempts} sent={data.request_body} /> : null}
    </Dialog>
  )
}
