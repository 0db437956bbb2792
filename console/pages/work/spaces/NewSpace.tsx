import { useLocation } from 'wouter'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { typed } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

/** Creates a space. */
export function NewSpace({ org, onClose }: { org: string; onClose: () => void }) {
  const [, navigate] = useLocation()
  const create = useChange('createSpace', ['listSpaces'])
  return (
    <FormDialog
      title={t('New space')}
      submit={t('Create space')}
      onClose={onClose}
      onSubmit={(form) =>
        create.mutateAsync({
          params: { org },
          body: { name: typed(form, 'name'), visibility: form.get('visibility') === 'private' ? 'private' : 'open' },
        })
      }
      onDone={({ short_id }) => navigate(pathTo('space', { org, ref: short_id }))}
    >
      <Field label={t('Name')} name="name">
        {(props) => <input {...props} required />}
      </Field>
      <Field label={t('Visible to')} name="visibility" hint={t('Owners and admins of the org see private spaces too.')}>
        {(props) => (
          <select {...props}>
            <option value="open">{t('All of the org')}</option>
            <option value="private">{t('Only its members')}</option>
          </select>
        )}
      </Field>
    </FormDialog>
  )
}
