import { useState } from 'react'
import { useAll } from '../../../data/all.ts'
import { type Body, useChange } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import type { ListedPage } from './PageTree.tsx'

interface Props {
  org: string
  page: Body<'getPage'>
  onClose: () => void
}

/** Gives a page another place in the tree; what is below it goes along. */
export function MovePage({ org, page, onClose }: Props) {
  const { data: spaces = [] } = useAll('listSpaces', { params: { org } })
  const { data: pages = [] } = useAll('listPages', { params: { org } })
  const [space, setSpace] = useState(page.space_id)
  const [parent, setParent] = useState(page.parent_id ?? '')
  const move = useChange('movePage', ['getPage', 'listPages'])
  const places = pages.filter((one) => one.space_id === space && !isBelow(pages, one, page.id))
  return (
    <FormDialog
      title="Move the page"
      submit="Move"
      busy={move.isPending}
      error={move.error}
      onClose={onClose}
      onSubmit={() =>
        move.mutate(
          { params: { org, ref: page.id }, body: { space, parent: parent === '' ? null : parent } },
          { onSuccess: onClose },
        )
      }
    >
      <Field label="Space" name="space" error={move.error}>
        {(props) => (
          <select
            {...props}
            value={space}
            onChange={(event) => {
              setSpace(event.target.value)
              setParent('')
            }}
          >
            {spaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Below" name="parent" error={move.error} hint="What is below the page goes with it.">
        {(props) => (
          <select {...props} value={parent} onChange={(event) => setParent(event.target.value)}>
            <option value="">No page: at the top</option>
            {places.map(({ id, title }) => (
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

/** Whether a page is another one, or below it: no page goes there. */
function isBelow(pages: readonly ListedPage[], page: ListedPage, id: string): boolean {
  for (let at: ListedPage | undefined = page; at; ) {
    if (at.id === id) return true
    const above: string | null = at.parent_id
    at = pages.find((one) => one.id === above)
  }
  return false
}
