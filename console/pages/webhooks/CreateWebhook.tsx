import { useChange, useRead } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Field } from '../../ui/forms/Field.tsx'
import { typed } from '../../ui/forms/Form.tsx'
import { SecretForm } from '../../ui/forms/SecretForm.tsx'
import { EventTypePicker } from './EventTypePicker.tsx'

/** Creates a webhook, and shows the secret of its signatures this once. */
export function CreateWebhook({ actor, onClose }: { actor: string | undefined; onClose: () => void }) {
  const { data: config } = useRead('getPublicConfig', {})
  const create = useChange('createWebhook', ['listWebhooks'])
  const submit = (form: FormData) => {
    const body = { url: typed(form, 'url'), event_types: form.getAll('event_types').map(String) }
    return create.mutateAsync({ ...(actor ? { agent: actor } : {}), body })
  }
  const targets = config?.webhooks.local_targets
    ? t('In this sandbox it may be http, on this machine, and on any port.')
    : t('https, on port 443 or 8443, at a public address.')
  return (
    <SecretForm
      title={t('Create a webhook')}
      submit={t('Create the webhook')}
      about={t('Check the signature of each delivery with this secret.')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label={t('Address')} name="url" hint={targets}>
        {(props) => <input {...props} required type="url" placeholder="https://" />}
      </Field>
      <EventTypePicker name="event_types" isOfOrg={false} />
    </SecretForm>
  )
}
