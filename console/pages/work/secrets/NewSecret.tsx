import { useSpaces } from '../../../data/org.ts'
import { useChange } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { SpaceSelect } from '../spaces/SpaceSelect.tsx'

/** Creates a secret of an org or of a space. */
export function NewSecret({ org, onClose }: { org: string; onClose: () => void }) {
  const spaces = useSpaces(org)
  const create = useChange('createSecret', ['listSecrets'])
  return (
    <FormDialog
      title={t('New secret')}
      submit={t('Keep it')}
      onClose={onClose}
      onSubmit={(form) => {
        const space = typed(form, 'space')
        return create.mutateAsync({
          params: { org },
          body: { name: typed(form, 'name'), value: typed(form, 'value'), ...(space ? { space } : {}) },
        })
      }}
    >
      <Field label={t('Name')} name="name" hint={t('Everybody who sees the space sees the name.')}>
        {(props) => <input {...props} required autoComplete="off" />}
      </Field>
      <Field label={t('Value')} name="value">
        {(props) => <textarea {...props} required autoComplete="off" spellCheck={false} />}
      </Field>
      <SpaceSelect spaces={spaces} label={t('Belongs to')} none={t('All of the org')} />
    </FormDialog>
  )
}
