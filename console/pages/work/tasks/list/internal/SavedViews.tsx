import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useAll } from '../../../../../data/all.ts'
import { useChange } from '../../../../../data/queries.ts'
import { pathTo } from '../../../../../routing/paths.ts'
import { t } from '../../../../../texts/texts.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { typed } from '../../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../../ui/forms/FormDialog.tsx'
import { shownIn } from '../../internal/filter.ts'

/**
 * The views that members saved: opens one, saves what the page shows as another, or deletes the one that is
 * open.
 */
export function SavedViews({ org }: { org: string }) {
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<'save' | 'delete'>()
  const { data: views = [] } = useAll('listViews', { params: { org } })
  const query = shownIn(search)
  const open = views.find((view) => shownIn(new URLSearchParams(view.query)) === query)
  const show = (id: string) => {
    const view = views.find((one) => one.id === id)
    navigate(`${pathTo('tasks', { org })}${view?.query ? `?${view.query}` : ''}`)
  }
  return (
    <>
      {views.length === 0 ? null : (
        <select
          aria-label={t('Saved views')}
          value={open?.id ?? ''}
          data-chosen={open ? true : undefined}
          onChange={({ target }) => show(target.value)}
        >
          <option value="">{t('Saved views')}</option>
          {views.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {query.replace('view=board', '') !== '' && !open ? (
        <Button kind="quiet" onClick={() => setDialog('save')}>
          {t('Save view …')}
        </Button>
      ) : null}
      {open?.may.includes('delete') ? (
        <Button kind="quiet" onClick={() => setDialog('delete')}>
          {t('Delete view …')}
        </Button>
      ) : null}
      {dialog === 'save' ? <SaveView org={org} query={query} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'delete' && open ? <DeleteView org={org} view={open} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}

function SaveView({ org, query, onClose }: { org: string; query: string; onClose: () => void }) {
  const save = useChange('createView', ['listViews'])
  return (
    <FormDialog
      title={t('Save this view')}
      submit={t('Save view')}
      onClose={onClose}
      onSubmit={(form) => save.mutateAsync({ params: { org }, body: { name: typed(form, 'name'), query } })}
    >
      <Field label={t('Name')} name="name" hint={t('All members of the org see it under this name.')}>
        {(props) => <input {...props} required maxLength={60} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}

interface DeleteProps {
  org: string
  view: { id: string; name: string }
  onClose: () => void
}

function DeleteView({ org, view, onClose }: DeleteProps) {
  const remove = useChange('deleteView', ['listViews'])
  return (
    <FormDialog
      title={t('Delete “{name}”', { name: view.name })}
      submit={t('Delete view')}
      isDanger
      onClose={onClose}
      onSubmit={() => remove.mutateAsync({ params: { org, ref: view.id } })}
    >
      <p>{t('The view goes for all members of the org. Its tasks stay as they are.')}</p>
    </FormDialog>
  )
}
