import { useAll } from '../../../data/all.ts'
import { useChange } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'

/** Keeps a value under a name, of the org or of a space. */
export function NewSecret({ org, onClose }: { org: string; onClose: () => void }) {
  const { data: spaces = [] } = useAll('listSpaces', { params: { org } })
  const create = useChange('createSecret', ['listSecrets'])
  return (
    <FormDialog
      title="New secret"
      submit="Keep it"
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(form) => {
        const space = typed(form, 'space')
        create.mutate(
          {
            params: { org },
            body: { name: typed(form, 'name'), value: typed(form, 'value'), ...(space ? { space } : {}) },
          },
          { onSuccess: onClose },
        )
      }}
    >
      <Field label="Name" name="name" error={create.error} hint="Everybody who sees the space sees the name.">
        {(props) => <input {...props} required autoComplete="off" />}
      </Field>
      <Field label="Value" name="value" error={create.error}>
        {(props) => <textarea {...props} required autoComplete="off" spellCheck={false} />}
      </Field>
      <Field label="Of" name="space" error={create.error}>
        {(props) => (
          <select {...props}>
            <option value="">All of the org</option>
            {spaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  )
}
