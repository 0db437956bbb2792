import { useAll } from '../../../data/all.ts'
import { useChange } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'

interface Props {
  org: string
  onClose: () => void
  onCreated: (secret: string) => void
}

/** Has events of the org posted to a URL: all, or those of some types and spaces. */
export function NewOrgWebhook({ org, onClose, onCreated }: Props) {
  const { data: spaces = [] } = useAll('listSpaces', { params: { org } })
  const create = useChange('createOrgWebhook', ['listOrgWebhooks'])
  return (
    <FormDialog
      title="New webhook"
      submit="Create webhook"
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(form) => {
        const chosen = form.getAll('spaces').map(String)
        create.mutate(
          {
            params: { org },
            body: {
              url: typed(form, 'url'),
              events: typed(form, 'events')
                .split(/[\s,]+/)
                .filter(Boolean),
              ...(chosen.length > 0 ? { spaces: chosen } : {}),
            },
          },
          { onSuccess: ({ secret }) => onCreated(secret) },
        )
      }}
    >
      <Field label="URL" name="url" error={create.error}>
        {(props) => <input {...props} type="url" required placeholder="https://example.com/hook" />}
      </Field>
      <Field label="Events" name="events" error={create.error} hint="Types, prefixes such as task.*, or * for all.">
        {(props) => <input {...props} required defaultValue="*" />}
      </Field>
      <fieldset>
        <legend>Of these spaces; of all, if none is chosen</legend>
        {spaces.map(({ id, name }) => (
          <label key={id} className="row">
            <input type="checkbox" name="spaces" value={id} />
            {name}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
