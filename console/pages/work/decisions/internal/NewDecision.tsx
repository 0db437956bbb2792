import { useLocation } from 'wouter'
import { useSpaces } from '../../../../data/org.ts'
import { type Body, useChange } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { SpaceSelect } from '../../spaces/SpaceSelect.tsx'

interface Props {
  org: string
  /** The decision that it replaces. */
  former?: Body<'getDecision'>
  onClose: () => void
}

/** Records a decision, or one that replaces another. */
export function NewDecision({ org, former, onClose }: Props) {
  const [, navigate] = useLocation()
  const spaces = useSpaces(org)
  const create = useChange('recordDecision', ['listDecisions', 'getDecision'])
  return (
    <FormDialog
      title={former ? t('Replace the decision') : t('Record a decision')}
      submit={t('Record')}
      disabled={!spaces}
      onClose={onClose}
      onSubmit={(form) =>
        create.mutateAsync({
          params: { org },
          body: {
            space: former?.space_id ?? typed(form, 'space'),
            title: typed(form, 'title'),
            text: typed(form, 'text'),
            ...(former ? { supersedes: former.id } : {}),
            ...(former?.page_id ? { page: former.page_id } : {}),
            ...(former?.task_id ? { task: former.task_id } : {}),
          },
        })
      }
      onDone={({ short_id }) => navigate(pathTo('decision', { org, ref: short_id }))}
    >
      <Field label={t('What is decided')} name="title">
        {(props) => <input {...props} required />}
      </Field>
      <Field label={t('Why')} name="text" hint={t('Markdown. It never changes once it is recorded.')}>
        {(props) => <textarea {...props} />}
      </Field>
      {former ? null : <SpaceSelect spaces={spaces} />}
    </FormDialog>
  )
}
