import { useLocation } from 'wouter'
import { useAll } from '../../../data/all.ts'
import { useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'

interface Props {
  org: string
  /** Where it goes, if that is known: else the person chooses. */
  space?: string
  parent?: string
  onClose: () => void
}

/** Begins a page, and opens it. */
export function NewPage({ org, space, parent, onClose }: Props) {
  const [, navigate] = useLocation()
  const { data: spaces } = useAll('listSpaces', { params: { org } })
  const create = useChange('createPage', ['listPages'])
  return (
    <FormDialog
      title={parent ? 'New page below' : 'New page'}
      submit="Create page"
      busy={create.isPending || !spaces}
      error={create.error}
      onClose={onClose}
      onSubmit={(form) =>
        create.mutate(
          {
            params: { org },
            body: {
              space: space ?? typed(form, 'space'),
              title: typed(form, 'title'),
              ...(parent ? { parent } : {}),
            },
          },
          { onSuccess: ({ short_id }) => navigate(pathTo('page', { org, ref: short_id })) },
        )
      }
    >
      <Field label="Title" name="title" error={create.error}>
        {(props) => <input {...props} required />}
      </Field>
      {space ? null : (
        <Field label="Space" name="space" error={create.error}>
          {(props) => (
            <select {...props} required>
              {spaces
                ?.filter(({ archived_at }) => !archived_at)
                .map(({ id, name }) => (
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
