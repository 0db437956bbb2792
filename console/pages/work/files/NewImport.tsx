import { useLocation } from 'wouter'
import { useAll } from '../../../data/all.ts'
import { type Body, useChange } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog, typed } from '../../../ui/FormDialog.tsx'

interface Props {
  org: string
  file: Body<'getAttachment'>
  onClose: () => void
}

/** Makes pages of an archive of Markdown, in a space that is chosen. */
export function NewImport({ org, file, onClose }: Props) {
  const [, navigate] = useLocation()
  const { data: spaces } = useAll('listSpaces', { params: { org } })
  const start = useChange('startImport', ['listImports'])
  return (
    <FormDialog
      title="Import its pages"
      submit="Import"
      busy={start.isPending || !spaces}
      error={start.error}
      onClose={onClose}
      onSubmit={(form) =>
        start.mutate(
          { params: { org }, body: { attachment: file.id, space: typed(form, 'space') } },
          { onSuccess: () => navigate(pathTo('settings', { org })) },
        )
      }
    >
      <p>
        Each Markdown file of <strong>{file.filename}</strong> becomes a page, and each folder one above its files: all
        of them, or none. It can be undone.
      </p>
      <Field label="Space" name="space" error={start.error}>
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
    </FormDialog>
  )
}
