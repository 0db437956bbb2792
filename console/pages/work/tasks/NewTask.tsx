import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAll } from '../../../data/all.ts'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'

/** Files a task in a space, about a page of it or none. */
export function NewTask({ org, onClose }: { org: string; onClose: () => void }) {
  const [, navigate] = useLocation()
  const { data: all } = useAll('listSpaces', { params: { org } })
  const { data: pages = [] } = useAll('listPages', { params: { org } })
  const spaces = (all ?? []).filter(({ archived_at }) => !archived_at)
  const [chosen, setChosen] = useState<string>()
  const space = chosen ?? spaces[0]?.id ?? ''
  const create = useChange('createTask', ['listTasks'])
  return (
    <FormDialog
      title="New task"
      submit="File task"
      busy={create.isPending || !all}
      error={create.error}
      onClose={onClose}
      onSubmit={(form) => {
        const page = typed(form, 'page')
        create.mutate(
          {
            params: { org },
            body: { space, title: typed(form, 'title'), text: typed(form, 'text'), ...(page ? { page } : {}) },
          },
          { onSuccess: ({ short_id }) => navigate(pathTo('task', { org, ref: short_id })) },
        )
      }}
    >
      <Field label="Title" name="title" error={create.error}>
        {(props) => <input {...props} required />}
      </Field>
      <Field label="What is to be done" name="text" error={create.error} hint="Markdown.">
        {(props) => <textarea {...props} />}
      </Field>
      <Field label="Space" name="space" error={create.error}>
        {(props) => (
          <select {...props} required value={space} onChange={(event) => setChosen(event.target.value)}>
            {spaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="About the page" name="page" error={create.error}>
        {(props) => (
          <select {...props}>
            <option value="">None</option>
            {pages
              .filter(({ space_id }) => space_id === space)
              .map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
          </select>
        )}
      </Field>
    </FormDialog>
  )
}
