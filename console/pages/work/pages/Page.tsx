import { useState } from 'react'
import { useRead } from '../../../data/queries.ts'
import { hasDraft } from '../../../data/storage/draft.ts'
import { useOrgParams } from '../../../routing/useOrgParams.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { Comments } from '../comments/Comments.tsx'
import { PageEditor } from './edit/PageEditor.tsx'
import { PageHistory } from './history/PageHistory.tsx'
import type { PageMode } from './internal/PageActions.tsx'
import { PageEntries } from './internal/PageEntries.tsx'
import { PageFiles } from './internal/PageFiles.tsx'
import { PageTop } from './internal/PageTop.tsx'
import outline from './text/Outline.module.css'
import { Outline } from './text/Outline.tsx'
import { PageText } from './text/PageText.tsx'
import { WithPageTree } from './tree/PageTree.tsx'

/** A page: its text, or the editor, or its history; below them its files and comments. */
export function Page() {
  const { org, ref } = useOrgParams()
  const { data: page, error } = useRead('getPage', { params: { org, ref } })
  const [mode, setMode] = useState<PageMode>('read')
  const [quote, setQuote] = useState('')
  if (!page) return <WithPageTree org={org}>{error ? <Problem error={error} /> : null}</WithPageTree>
  return (
    <WithPageTree org={org} current={page.id}>
      <PageTop org={org} page={page} mode={mode} onMode={setMode} hasDraft={hasDraft(page.id)} />
      {mode === 'edit' ? <PageEditor org={org} page={page} onClose={() => setMode('read')} /> : null}
      {mode === 'history' ? <PageHistory org={org} page={page} /> : null}
      {mode === 'read' ? (
        <>
          <div className={outline.with}>
            <Outline text={page.rendered_text} />
            <PageText org={org} page={page} text={page.rendered_text} onQuote={setQuote} />
          </div>
          <div className={outline.screen}>
            <PageEntries org={org} page={page.id} />
            <PageFiles org={org} page={page.id} />
            <Comments org={org} on={{ page: page.id }} quote={quote} onQuote={setQuote} />
          </div>
        </>
      ) : null}
    </WithPageTree>
  )
}
