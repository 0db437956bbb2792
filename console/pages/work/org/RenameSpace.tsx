import { useChange } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'

/** Gives a space another name. */
export function RenameSpace({
  org,
  space,
  onClose,
}: {
  org: string
  space: { id: string; name: string }
  onClose: () => void
}) {
  const update = useChange('updateSpace', ['getSpace', 'listSpaces'])
  return (
    <FormDialog
      title="Rename the space"
      submit="Rename"
      busy={update.isPending}
      error={update.error}
      onClose={onClose}
      onSubmit={(form) =>
        update.mutate({ params: { org, ref: space.id }, body: { name: typed(form, 'name') } }, { onSuccess: onClose })
      }
    >
      <Field label="Name" name="name" error={update.error}>
        {(props) => <input {...props} required defaultValue={space.name} />}
      </Field>
    </FormDialog>
  )
}
