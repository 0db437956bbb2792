import type { FormEvent } from 'react'
import { useChange } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import type { WebhookInput } from './WebhookActions.tsx'

/** Sends again everything that a webhook's receiver did not take since a time. */
export function RecoverWebhook({ input, onClose }: { input: WebhookInput; onClose: () => void }) {
  const recover = useChange('recoverWebhook', ['listWebhookDeliveries'])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const since = new Date(String(new FormData(event.currentTarget).get('since'))).toISOString()
    recover.mutate({ ...input, body: { since } })
  }
  return (
    <Dialog title="Recover deliveries" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>Everything that was given up since then is sent again, in order.</p>
        <Field label="Since" name="since" error={recover.error}>
          {(props) => <input {...props} required type="datetime-local" />}
        </Field>
        <Problem error={recover.error} />
        {recover.data ? <p role="status">{recoveredText(recover.data.recovered)}</p> : null}
        <div>
          <Button type="submit" kind="primary" busy={recover.isPending}>
            Recover
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function recoveredText(count: number): string {
  if (count === 0) return 'Nothing has been given up since then.'
  return count === 1 ? 'One delivery is on its way again.' : `${count} deliveries are on their way again.`
}
