import { useLocation } from 'wouter'
import { useMe } from '../../data/me.ts'
import { useChange } from '../../data/queries.ts'
import { urnText } from '../../data/urn.ts'
import { pathTo } from '../../routing/paths.ts'
import { t } from '../../texts/texts.ts'
import { Field } from '../../ui/forms/Field.tsx'
import { typed } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'

/** Creates an agent, and goes to its page. */
export function CreateAgent({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const [, navigate] = useLocation()
  const create = useChange('createAgent', ['listAgents'])
  const submit = (form: FormData) => {
    const [display_name, description] = [typed(form, 'display_name'), typed(form, 'description')]
    return create.mutateAsync({ body: { owner_urn: urnText(me.owner_urn), display_name, description } })
  }
  return (
    <FormDialog
      title={t('Create an agent')}
      submit={t('Create the agent')}
      onClose={onClose}
      onSubmit={submit}
      onDone={({ urn }) => navigate(pathTo('agent', { id: urn.body }))}
    >
      <Field label={t('Name')} name="display_name" hint={t('Others see it next to its asks.')}>
        {(props) => <input {...props} required maxLength={100} />}
      </Field>
      <Field label={t('What it does')} name="description" hint={t('Others see this too. May be empty.')}>
        {(props) => <textarea {...props} maxLength={2_000} />}
      </Field>
    </FormDialog>
  )
}
