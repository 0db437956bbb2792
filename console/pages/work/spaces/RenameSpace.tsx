import { useChange } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

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
      title={t('Rename the space')}
      submit={t('Rename')}
      onClose={onClose}
      onSubmit={(form) => update.mutateAsync({ params: { org, ref: space.id }, body: { name: typed(form, 'name') } })}
    >
      <Field label={t('Name')} name="name">
        {(props) => <input {...props} required defaultValue={space.name} />}
      </Field>
    </FormDialog>
  )
}
