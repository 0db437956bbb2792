import { useState } from 'react'
import { useChange } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/forms/Dialog.tsx'
import { Field } from '../../ui/forms/Field.tsx'
import { Form, typed } from '../../ui/forms/Form.tsx'
import type { WebhookInput } from './WebhookActions.tsx'

/** Sends all deliveries again that were given up since a time. */
export function RecoverWebhook({ input, onClose }: { input: WebhookInput; onClose: () => void }) {
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
