import { useState } from 'react'
import { type Body, useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { ExportPages } from '../export/ExportPages.tsx'
import { NewPage } from '../tree/NewPage.tsx'
import { MovePage } from './MovePage.tsx'
import { TrashPage } from './TrashPage.tsx'

/** A page, and the mode of its view. */
export interface PageTopProps {
  org: string
  page: Body<'getPage'>
  mode: PageMode
  onMode: (mode: PageMode) => void
  hasDraft: boolean
}

/** The mode of a page's view. */
export type PageMode = 'read' | 'edit' | 'history'

/** The actions on a page. While it is edited the editor has its own. */
export function PageActions({ org, page, mode, onMode, hasDraft }: PageTopProps) {
  const publish = useChange('publishPage', ['getPage', 'listPages'])
  const restore = useChange('restorePage', ['getPage', 'listPages'])
  const [dialog, setDialog] = useState<'move' | 'trash' | 'below' | 'export'>()
  const close = () => setDialog(undefined)
  const params = { org, ref: page.id }
  if (mode === 'edit') return null
  if (page.trashed_at) {
    return (
      <>
        <Button kind="primary" busy={restore.isPending} onClick={() => restore.mutate({ params })}>
          {t('Restore from the trash')}
        </Button>
        <Problem error={restore.error} />
      </>
    )
  }
  return (
    <>
      <Button kind="primary" onClick={() => onMode('edit')}>
        {hasDraft ? t('Continue your draft') : t('Edit')}
      </Button>
      <Button
        disabled={page.published_version === page.version}
        busy={publish.isPending}
        onClick={() => publish.mutate({ params })}
      >
        {t('Publish')}
      </Button>
      <Button onClick={() => onMode(mode === 'history' ? 'read' : 'history')}>
        {mode === 'history' ? t('Read') : t('History')}
      </Button>
      <Button onClick={() => setDialog('below')}>{t('New below')}</Button>
      <Button onClick={() => setDialog('move')}>{t('Move')}</Button>
      <Button onClick={() => setDialog('export')}>{t('Export')}</Button>
      <Button kind="danger" onClick={() => setDialog('trash')}>
        {t('Trash')}
      </Button>
      <Problem error={publish.error} />
      {dialog === 'below' ? <NewPage org={org} space={page.space_id} parent={page.id} onClose={close} /> : null}
      {dialog === 'move' ? <MovePage org={org} page={page} onClose={close} /> : null}
      {dialog === 'export' ? <ExportPages org={org} what={{ page: page.id }} onClose={close} /> : null}
      {dialog === 'trash' ? <TrashPage org={org} page={page} onClose={close} /> : null}
    </>
  )
}
