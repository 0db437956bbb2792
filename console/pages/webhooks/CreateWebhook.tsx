import { useChange, useRead } from '../../data/queries.ts'
import { Field } from '../../ui/Field.tsx'
import { typed } from '../../ui/Form.tsx'
import { SecretForm } from '../../ui/SecretForm.tsx'

/** Creates a webhook, and shows the secret of its signatures this once. */
export function CreateWebhook({ actor, onClose }: { actor: string | undefined; onClose: () => void }) {
  const { data: config } = useRead('getPublicConfig', {})
  const create = useChange('createWebhook', ['listWebhooks'])
  const submit = (form: FormData) => {
    const body = {
      url: typed(form, 'url'),
      event_types: typed(form, 'event_types')
        .split(/[\s,]+/)
        .filter(Boolean),
    }
    return create.mutateAsync({ ...(actor ? { agent: actor } : {}), body })
  }
  const targets = config?.webhooks.local_targets
    ? 'In this sandbox it may be http, on this machine, and on any port.'
    : 'https, on port 443 or 8443, at a public address.'
  return (
    <SecretForm
      title="Create a webhook"
      submit="Create the webhook"
      about="Check the signature of each delivery with this secret."
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label="Address" name="url" hint={targets}>
        {(props) => <input {...props} required type="url" placeholder="https://" />}
      </Field>
      <Field label="Events" name="event_types" hint="Patterns, separated by commas: *, order.* or order.funded.">
        {(props) => <input {...props} required defaultValue="*" className="mono" />}
      </Field>
    </SecretForm>
  )
}
