import type { Body } from '../../../../../data/queries.ts'
import { type Draft, hasDraft } from '../../../../../data/storage/draft.ts'
import { t } from '../../../../../texts/texts.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import styles from '../PageEditor.module.css'

interface Props {
  page: Body<'getPage'>
  draft: Draft
  isSaving: boolean
  /** Whether plain source is edited. */
  isSource: boolean
  onSource: (isSource: boolean) => void
  onDiscard: () => void
}

/** The actions on a draft, and whether it is saved. It stays visible above a long text. */
export function EditorBar({ page, draft, isSaving, isSource, onSource, onDiscard }: Props) {
  // The page moves on while others save: without a draft, nothing was written here.
  const isChanged = hasDraft(page.id) && (draft.text !== page.text || draft.title !== page.title)
  const hasNewer = page.version > draft.base
  return (
    <div className={`row ${styles.bar}`}>
      <Button type="submit" kind="primary" busy={isSaving}>
        {t('Save')}
      </Button>
      <Button onClick={onDiscard}>{isChanged ? t('Discard changes') : t('Close')}</Button>
      <Button onClick={() => onSource(!isSource)}>{isSource ? t('Hide the source') : t('Markdown source')}</Button>
      <span className="small muted">
        {isChanged ? t('Not saved yet; kept in this browser.') : t('As version {version}.', { version: draft.base })}
        {hasNewer
          ? ` ${t('Version {version} was saved in the meantime: saving merges yours with it.', { version: page.version })}`
          : ''}
      </span>
    </div>
  )
}
