import { useRef, useState } from 'react'
import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form } from '../../../../ui/forms/Form.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import type { EditorHandle } from '../editor/CodeEditor.tsx'
import { EditConflict } from './internal/EditConflict.tsx'
import { EditorBar } from './internal/EditorBar.tsx'
import { EditorPanes } from './internal/EditorPanes.tsx'
import { useSave } from './internal/useSave.ts'
import styles from './PageEditor.module.css'

interface Props {
  org: string
  page: Body<'getPage'>
  onClose: () => void
}

const KEPT_SOURCE = 'source'

/**
 * Edits a page as it will look, or its source with a preview beside it. This browser keeps the draft until it
 * is saved.
 */
export function PageEditor({ org, page, onClose }: Props) {
  const editor = useRef<EditorHandle>(null)
  const replace = (text: string) => editor.current?.replace(text)
  const { draft, write, save, drop, saved, conflict, error, isSaving, forget } = useSave(org, page, replace)
  const [copy, setCopy] = useState<string>()
  const [isSource, setSource] = useKeptSource()
  return (
    <Form className="" onSubmit={() => save(draft.base, ({ isMerged }) => (isMerged ? undefined : onClose()))}>
      <EditorBar
        page={page}
        draft={draft}
        isSaving={isSaving}
        isSource={isSource}
        onSource={setSource}
        onDiscard={() => {
          drop()
          onClose()
        }}
      />
      {saved?.isMerged ? (
        <p role="status" className={styles.told}>
          {t('Saved as version {version}, merged with what others wrote since you began. The text below has both.', {
            version: saved.version,
          })}
        </p>
      ) : null}
      {conflict ? (
        <EditConflict
          org={org}
          page={page.id}
          base={draft.base}
          onSaveMine={(version) => {
            write({ base: version })
            save(version, () => onClose())
          }}
          onTakeTheirs={({ version, text }) => {
            forget()
            setCopy(draft.text)
            replace(text)
            write({ base: version, text })
          }}
        />
      ) : null}
      {copy === undefined ? null : (
        <details className={styles.told} open>
          <summary>{t('Your former text')}</summary>
          <pre>{copy}</pre>
        </details>
      )}
      <Problem error={error} />
      <TitleField title={draft.title} error={error} onChange={(title) => write({ title })} />
      <EditorPanes
        org={org}
        page={page}
        text={draft.text}
        isSource={isSource}
        onChange={(text) => write({ text })}
        onReady={(handle) => {
          editor.current = handle
        }}
      />
    </Form>
  )
}

/** Whether the person edits plain source, which this browser remembers. */
function useKeptSource(): [boolean, (isSource: boolean) => void] {
  const [isSource, setSource] = useState(localStorage.getItem(KEPT_SOURCE) === 'on')
  return [
    isSource,
    (next) => {
      if (next) localStorage.setItem(KEPT_SOURCE, 'on')
      else localStorage.removeItem(KEPT_SOURCE)
      setSource(next)
    },
  ]
}

interface TitleProps {
  title: string
  error: unknown
  onChange: (title: string) => void
}

function TitleField({ title, error, onChange }: TitleProps) {
  return (
    <Field label={t('Title')} name="title" error={error}>
      {(props) => (
        <input
          {...props}
          value={title}
          required
          onChange={(event) => onChange(event.target.value)}
          // Enter alone would save, and close the editor.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
    </Field>
  )
}
