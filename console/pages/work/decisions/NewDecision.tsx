import { useLocation } from 'wouter'
import { useAll } from '../../../data/all.ts'
import { type Body, useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'

interface Props {
  org: string
  /** The decision whose place it takes. */
  former?: Body<'getDecision'>
  onClose: () => void
}

/** Records a decision, or another one in the place of a former. */
export function NewDecision({ org, former, onClose }: Props) {
  const [, navigate] = useLocation()
  const { data: spaces = [] } = useAll('listSpaces', { params: { org } })
  const create = useChange('recordDecision', ['listDecisions', 'getDecision'])
  return (
    <FormDialog
      title={former ? 'Replace the decision' : 'Record a decision'}
      submit="Record"
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(form) =>
        create.mutate(
          {
            params: { org },
            body: {
              space: former?.space_id ?? typed(form, 'space'),
              title: typed(form, 'title'),
              text: typed(form, 'text'),
              ...(former ? { supersedes: former.id } : {}),
              ...(former?.page_id ? { page: former.page_id } : {}),
              ...(former?.task_id ? { task: former.task_id } : {}),
            },
          },
          { onSuccess: ({ short_id }) => navigate(pathTo('decision', { org, ref: short_id })) },
        )
      }
    >
      <Field label="What is decided" name="title" error={create.error}>
        {(props) => <input {...props} required />}
      </Field>
      <Field label="Why" name="text" error={create.error} hint="Markdown. It never changes once it is recorded.">
        {(props) => <textarea {...props} />}
      </Field>
      {former ? null : (
        <Field label="Space" name="space" error={create.error}>
          {(props) => (
            <select {...props} required>
              {spaces.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </FormDialog>
  )
}
