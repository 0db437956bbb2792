import { useState } from 'react'
import { useChange } from '../../data/queries.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form, typed } from '../../ui/Form.tsx'
import type { WebhookInput } from './WebhookActions.tsx'

/** Sends all deliveries again that were given up since a time. */
export function RecoverWebhook({ input, onClose }: { input: WebhookInput; onClose: () => void }) {
  const recover = useChange('recoverWebhook', ['listWebhookDeliveries'])
  const [recovered, setRecovered] = useState<number>()
  return (
    <Dialog title="Recover deliveries" onClose={onClose}>
      <Form
        submit="Recover"
        kind="primary"
        onSubmit={(form) =>
          recover.mutateAsync({ ...input, body: { since: new Date(typed(form, 'since')).toISOString() } })
        }
        onDone={(answer) => setRecovered(answer.recovered)}
      >
        <p>All deliveries that were given up since then are sent again, in order.</p>
        <Field label="Since" name="since">
          {(props) => <input {...props} required type="datetime-local" />}
        </Field>
        {recovered === undefined ? null : <p role="status">{recoveredText(recovered)}</p>}
      </Form>
    </Dialog>
  )
}

function recoveredText(count: number): string {
  if (count === 0) return 'Nothing has been given up since then.'
  return count === 1 ? 'One delivery is on its way again.' : `${count} deliveries are on their way again.`
}
