import { useState } from 'react'
import type { PageItem } from '../../../../sdk/market.ts'
import { useChange, useList, useRead } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { ChangeEvents } from './ChangeEvents.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { DeliveryTable } from './DeliveryTable.tsx'
import { RotateWebhook } from './RotateWebhook.tsx'

interface Props {
  org: string
  webhook: PageItem<'listOrgWebhooks'>
  onClose: () => void
}

/** The deliveries to a webhook of an org; it is tested, given another secret, and deleted here. */
export function OrgWebhook({ org, webhook, onClose }: Props) {
  const params = { org, id: webhook.id }
  const { items, error, more } = useList('listOrgWebhookDeliveries', { params }, { pollMs: 5_000 })
  const replay = useChange('replayOrgWebhookDelivery', ['listOrgWebhookDeliveries'])
  const test = useChange('testOrgWebhook', ['listOrgWebhookDeliveries'])
  const rotate = useChange('rotateOrgWebhookSecret', ['listOrgWebhooks'])
  const update = useChange('updateOrgWebhook', ['listOrgWebhooks'])
  const remove = useChange('deleteOrgWebhook', ['listOrgWebhooks'])
  const [open, setOpen] = useState<'events' | 'rotate' | 'delete'>()
  const close = () => setOpen(undefined)
  const deliveries = items?.map(({ type, status_code, attempts, ...delivery }) => ({
    ...delivery,
    event_type: type,
    response_status: status_code,
    attempt_log: attempts,
  }))
  return (
    <div className="stack">
      <h3>{t('Deliveries to {url}', { url: webhook.url })}</h3>
      <div className="row">
        <Button busy={test.isPending} onClick={() => test.mutate({ params })}>
          {t('Send a test')}
        </Button>
        <Button onClick={() => setOpen('events')}>{t('Change the events…')}</Button>
        <Button onClick={() => setOpen('rotate')}>{t('Rotate the secret…')}</Button>
        <Button kind="danger" onClick={() => setOpen('delete')}>
          {t('Delete…')}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
      <Problem error={test.error} />
      <DeliveryTable
        list={{ items: deliveries, error, more }}
        empty={t('Nothing has been sent yet. Send a test to see whether your receiver answers.')}
        replay={(delivery) => replay.mutateAsync({ params: { ...params, delivery } })}
        show={({ id, event_type }, onClosed) => (
          <Shown params={{ ...params, delivery: id }} title={event_type} onClose={onClosed} />
        )}
      />
      {open === 'events' ? (
        <ChangeEvents
          chosen={webhook.events}
          isOfOrg
          change={(events) => update.mutateAsync({ params, body: { events } })}
          onClose={close}
        />
      ) : null}
      {open === 'rotate' ? <RotateWebhook rotate={() => rotate.mutateAsync({ params })} onClose={close} /> : null}
      {open === 'delete' ? (
        <FormDialog
          title={t('Delete the webhook')}
          submit={t('Delete')}
          isDanger
          onClose={close}
          onSubmit={() => remove.mutateAsync({ params })}
          onDone={onClose}
        >
          <p>
            {t('Nothing more is sent to {url}, and its deliveries are no longer listed. Pause it to keep both.', {
              url: webhook.url,
            })}
          </p>
        </FormDialog>
      ) : null}
    </div>
  )
}

interface ShownProps {
  params: { org: string; id: string; delivery: string }
  title: string
  onClose: () => void
}

function Shown({ params, title, onClose }: ShownProps) {
  const { data, error } = useRead('getOrgWebhookDelivery', { params })
  const delivery = data && { ...data, attempt_log: data.attempts }
  return <DeliveryDialog title={title} delivery={delivery} error={error} onClose={onClose} />
}
