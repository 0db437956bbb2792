import { useState } from 'react'
import { useAll } from '../../../../data/all.ts'
import { type Body, useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import { SpaceSelect } from '../../spaces/SpaceSelect.tsx'
import { isBelow } from '../tree/tree.ts'

interface Props {
  org: string
  page: Body<'getPage'>
  onClose: () => void
}

/** Moves a page in the tree, with the pages below it. */
export function MovePage({ org, page, onClose }: Props) {
  const { data: spaces } = useAll('listSpaces', { params: { org } })
  const { data: pages = [] } = useAll('listPages', { params: { org } })
  const [space, setSpace] = useState(page.space_id)
  const [parent, setParent] = useState(page.parent_id ?? '')
  const move = useChange('movePage', ['getPage', 'listPages'])
  const places = pages.filter((one) => one.space_id === space && !isBelow(pages, one, page.id))
  return (
    <FormDialog
      title={t('Move the page')}
      submit={t('Move')}
      onClose={onClose}
      onSubmit={() =>
        move.mutateAsync({ params: { org, ref: page.id }, body: { space, parent: parent === '' ? null : parent } })
      }
    >
      <SpaceSelect
        spaces={spaces}
        value={space}
        onChange={(chosen) => {
          setSpace(chosen)
          setParent('')
        }}
      />
      <Field label={t('Below')} name="parent" hint={t('The pages below it move with it.')}>
        {(props) => (
          <select {...props} value={parent} onChange={(event) => setParent(event.target.value)}>
            <option value="">{t('No page: at the top')}</option>
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
