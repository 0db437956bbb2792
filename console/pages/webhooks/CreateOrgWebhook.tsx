import { useAll } from '../../data/all.ts'
import { useChange } from '../../data/queries.ts'
import { t } from '../../texts/texts.ts'
import { Field } from '../../ui/forms/Field.tsx'
import { typed } from '../../ui/forms/Form.tsx'
import { SecretForm } from '../../ui/forms/SecretForm.tsx'
import { EventTypePicker } from './EventTypePicker.tsx'

/** Creates a webhook of an org for events of some types and spaces, and shows its secret once. */
export function CreateOrgWebhook({ org, onClose }: { org: string; onClose: () => void }) {
  const { data: spaces = [] } = useAll('listSpaces', { params: { org } })
  const create = useChange('createOrgWebhook', ['listOrgWebhooks'])
  const submit = (form: FormData) => {
    const chosen = form.getAll('spaces').map(String)
    const body = {
      url: typed(form, 'url'),
      events: form.getAll('events').map(String),
      ...(chosen.length > 0 ? { spaces: chosen } : {}),
    }
    return create.mutateAsync({ params: { org }, body })
  }
  return (
    <SecretForm
      title={t('New webhook')}
      submit={t('Create webhook')}
      about={t('Check the signature of each delivery with this secret.')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label="URL" name="url">
        {(props) => <input {...props} type="url" required placeholder="https://example.com/hook" />}
      </Field>
      <EventTypePicker name="events" isOfOrg />
      <fieldset>
        <legend>{t('Spaces; without a choice, all of them')}</legend>
        {spaces.map(({ id, name }) => (
          <label key={id} className="row">
            <input type="checkbox" name="spaces" value={id} />
            {name}
          </label>
        ))}
      </fieldset>
    </SecretForm>
  )
}
