import { useState } from 'react'
import { useLocation } from 'wouter'
import { type Body, useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Button } from '../../../ui/forms/Button.tsx'
import { Dialog } from '../../../ui/forms/Dialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form, typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { ChangeEvents } from './ChangeEvents.tsx'
import { RotateWebhook } from './RotateWebhook.tsx'

/** Names a webhook in a call, and the agent that owns it. */
export interface WebhookInput {
  params: { urn: string }
  agent?: string
}

/** The actions on a webhook. */
export function WebhookActions({ webhook, input }: { webhook: Body<'getWebhook'>; input: WebhookInput }) {
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<'events' | 'recover' | 'rotate' | 'delete'>()
  const test = useChange('testWebhook', ['listWebhookDeliveries'])
  const update = useChange('updateWebhook', ['getWebhook', 'listWebhooks'])
  const rotate = useChange('rotateWebhookSecret', ['getWebhook'])
  const remove = useChange('deleteWebhook', ['listWebhooks'])
  const close = () => setOpen(undefined)
  const isActive = webhook.status === 'active'
  return (
    <>
      <Button kind="primary" disabled={!isActive} busy={test.isPending} onClick={() => test.mutate(input)}>
        {t('Send a test')}
      </Button>
      {webhook.status === 'disabled' ? null : (
        <Button
          busy={update.isPending}
          onClick={() => update.mutate({ ...input, body: { status: isActive ? 'paused' : 'active' } })}
        >
          {isActive ? t('Pause') : t('Resume')}
        </Button>
      )}
      <Button onClick={() => setOpen('events')}>{t('Change the events…')}</Button>
      <Button onClick={() => setOpen('recover')}>{t('Recover…')}</Button>
      <Button onClick={() => setOpen('rotate')}>{t('Rotate the secret…')}</Button>
      <Button kind="danger" onClick={() => setOpen('delete')}>
        {t('Delete…')}
      </Button>
      <Problem error={test.error ?? update.error} />
      {open === 'events' ? (
        <ChangeEvents
          chosen={webhook.event_types}
          isOfOrg={false}
          change={(event_types) => update.mutateAsync({ ...input, body: { event_types } })}
          onClose={close}
        />
      ) : null}
      {open === 'recover' ? <RecoverWebhook input={input} onClose={close} /> : null}
      {open === 'rotate' ? <RotateWebhook rotate={() => rotate.mutateAsync(input)} onClose={close} /> : null}
      {open === 'delete' ? (
        <FormDialog
          title={t('Delete the webhook')}
          submit={t('Delete it')}
          isDanger
          onSubmit={() => remove.mutateAsync(input)}
          onClose={close}
          onDone={() => navigate(pathTo('webhooks'))}
        >
          <p>{t('Nothing more is sent to it, and its deliveries are no longer listed. Pause it to keep both.')}</p>
        </FormDialog>
      ) : null}
    </>
  )
}

/** Sends all deliveries again that were given up since a time. */
function RecoverWebhook({ input, onClose }: { input: WebhookInput; onClose: () => void }) {
  const recover = useChange('recoverWebhook', ['listWebhookDeliveries'])
  const [recovered, setRecovered] = useState<number>()
  return (
    <Dialog title={t('Recover deliveries')} onClose={onClose}>
      <Form
        submit={t('Recover')}
        kind="primary"
        onSubmit={(form) =>
          recover.mutateAsync({ ...input, body: { since: new Date(typed(form, 'since')).toISOString() } })
        }
        onDone={(answer) => setRecovered(answer.recovered)}
      >
        <p>{t('All deliveries that were given up since then are sent again, in order.')}</p>
        <Field label={t('Since')} name="since">
          {(props) => <input {...props} required type="datetime-local" />}
        </Field>
        {recovered === undefined ? null : <p role="status">{recoveredText(recovered)}</p>}
      </Form>
    </Dialog>
  )
}

function recoveredText(count: number): string {
  return t(
    '{count, plural, =0 {Nothing has been given up since then.} one {One delivery is on its way again.} other {# deliveries are on their way again.}}',
    { count },
  )
}
