import { useSpaces } from '../../../data/org.ts'
import { useChange } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { typed } from '../../../ui/Form.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { SpaceSelect } from '../spaces/SpaceSelect.tsx'

/** Creates a secret of an org or of a space. */
export function NewSecret({ org, onClose }: { org: string; onClose: () => void }) {
  const spaces = useSpaces(org)
  const create = useChange('createSecret', ['listSecrets'])
  return (
    <FormDialog
      title="New secret"
      submit="Keep it"
      onClose={onClose}
      onSubmit={(form) => {
        const space = typed(form, 'space')
        return create.mutateAsync({
          params: { org },
          body: { name: typed(form, 'name'), value: typed(form, 'value'), ...(space ? { space } : {}) },
        })
      }}
    >
      <Field label="Name" name="name" hint="Everybody who sees the space sees the name.">
        {(props) => <input {...props} required autoComplete="off" />}
      </Field>
      <Field label="Value" name="value">
        {(props) => <textarea {...props} required autoComplete="off" spellCheck={false} />}
      </Field>
      <SpaceSelect spaces={spaces} label="Belongs to" none="All of the org" />
    </FormDialog>
  )
}
