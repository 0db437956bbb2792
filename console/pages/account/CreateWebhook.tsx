import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../data/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Secret } from '../../ui/Secret.tsx'

/** Creates a webhook, and shows the secret of its signatures this once. */
export function CreateWebhook({ actor, onClose }: { actor: string | undefined; onClose: () => void }) {
  const { data: config } = useRead('getPublicConfig', {})
  const create = useChange('createWebhook', ['listWebhooks'])
  const [secret, setSecret] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = {
      url: String(form.get('url')),
      event_types: String(form.get('event_types'))
        .split(/[\s,]+/)
        .filter(Boolean),
    }
    create.mutate({ ...(actor ? { agent: actor } : {}), body }, { onSuccess: (created) => setSecret(created.secret) })
  }
  const targets = config?.webhooks.local_targets
    ? 'In this sandbox it may be http, on this machine, and on any port.'
    : 'https, on port 443 or 8443, at a public address.'
  return (
    <Dialog title="Create a webhook" onClose={onClose}>
      {secret ? (
        <>
          <Secret value={secret} about="Check the signature of each delivery with this secret." />
          <div>
            <Button onClick={onClose}>I have kept it</Button>
          </div>
        </>
      ) : (
        <form className="stack" onSubmit={submit}>
          <Field label="Address" name="url" error={create.error} hint={targets}>
            {(props) => <input {...props} required type="url" placeholder="https://" />}
          </Field>
          <Field
            label="Events"
            name="event_types"
            error={create.error}
            hint="Patterns, separated by commas: *, order.* or order.funded."
          >
            {(props) => <input {...props} required defaultValue="*" className="mono" />}
          </Field>
          <Problem error={create.error} />
          <div>
            <Button type="submit" kind="primary" busy={create.isPending}>
              Create the webhook
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
