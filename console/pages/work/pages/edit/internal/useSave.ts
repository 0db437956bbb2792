import { useRef, useState } from 'react'
import { isProblem } from '../../../../../../sdk/problem.ts'
import { type Body, useChange } from '../../../../../data/queries.ts'
import { type Draft, dropDraft, keepDraft, readDraft } from '../../../../../data/storage/draft.ts'

type Page = Body<'getPage'>

/** The result of a save: the text as written, or merged with what others had written since. */
export interface Saved {
  version: number
  isMerged: boolean
}

/**
 * The draft of a page, and how it is saved: by If-Match, so that no change of others is overwritten unseen.
 * `replace` puts the text of a merge into the editor.
 */
export function useSave(org: string, page: Page, replace: (text: string) => void) {
  const [draft, setDraft] = useState<Draft>(
    () => readDraft(page.id) ?? { base: page.version, title: page.title, text: page.text },
  )
  const [saved, setSaved] = useState<Saved>()
  const edit = useChange('editPage', ['getPage', 'listPages', 'listPageVersions'])
  const latest = useRef(draft)
  const show = (next: Draft) => {
    latest.current = next
    setDraft(next)
  }
  const write = (part: Partial<Draft>) => {
    show({ ...latest.current, ...part })
    keepDraft(page.id, latest.current)
  }
  const save = (base = draft.base, onSaved?: (result: Saved) => void) => {
    const { title, text } = latest.current
    setSaved(undefined)
    edit.mutate(
      {
        params: { org, ref: page.id },
        body: { text, ...(title === page.title ? {} : { title }) },
        headers: { 'if-match': `"${base}"` },
      },
      {
        onSuccess: (written) => {
          const result = { version: written.version, isMerged: written.text !== text }
          setSaved(result)
          // The next save, which has the same base, merges what was typed during this one.
          if (latest.current.text !== text || latest.current.title !== title) return
          if (result.isMerged) replace(written.text)
          dropDraft(page.id)
          show({ base: written.version, title: written.title, text: written.text })
          onSaved?.(result)
        },
      },
    )
  }
  const drop = () => dropDraft(page.id)
  const conflict = isProblem(edit.error, 'market:error:workspace/page-conflict')
  const forget = edit.reset
  return {
    draft,
    write,
    save,
    drop,
    forget,
    saved,
    conflict,
    error: conflict ? null : edit.error,
    isSaving: edit.isPending,
  }
}
