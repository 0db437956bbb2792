import { useDeferredValue, useRef, useState } from 'react'
import type { Body } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { useLoaded } from '../../../ui/useLoaded.ts'
import { UploadFiles } from '../files/UploadFiles.tsx'
import type { EditorHandle } from './CodeEditor.tsx'
import { EditConflict } from './EditConflict.tsx'
import { EditorBar } from './EditorBar.tsx'
import styles from './PageEditor.module.css'
import { PageText } from './PageText.tsx'
import { useSave } from './useSave.ts'

interface Props {
  org: string
  page: Body<'getPage'>
  onClose: () => void
}

const loadEditor = () => import('./CodeEditor.tsx').then((file) => file.CodeEditor)

/** Edits a page, with a preview beside it. This browser keeps the draft until it is saved. */
export function PageEditor({ org, page, onClose }: Props) {
  const editor = useRef<EditorHandle>(null)
  const replace = (text: string) => editor.current?.replace(text)
  const { draft, write, save, drop, saved, conflict, error, isSaving, forget } = useSave(org, page, replace)
  const [copy, setCopy] = useState<string>()
  const Editor = useLoaded(loadEditor)
  const shown = useDeferredValue(draft.text)
  return (
    <Form className="" onSubmit={() => save(draft.base, ({ isMerged }) => (isMerged ? undefined : onClose()))}>
      <EditorBar
        page={page}
        draft={draft}
        isSaving={isSaving}
        onDiscard={() => {
          drop()
          onClose()
        }}
      />
      {saved?.isMerged ? (
        <p role="status" className={styles.told}>
          Saved as version {saved.version}, merged with what others had written since you began. The text below has
          both.
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
          <summary>Your former text</summary>
          <pre>{copy}</pre>
        </details>
      )}
      <Problem error={error} />
      <TitleField title={draft.title} error={error} onChange={(title) => write({ title })} />
      <div className={styles.panes}>
        <section aria-labelledby="source">
          <h2 id="source" className={styles.title}>
            Markdown
          </h2>
          <div className={styles.source}>
            {Editor ? (
              <Editor
                label="Text of the page, in Markdown"
                initial={draft.text}
                onChange={(text) => write({ text })}
                onReady={(handle) => {
                  editor.current = handle
                }}
              />
            ) : null}
          </div>
          <UploadFiles
            org={org}
            page={page.id}
            insert="none"
            label="Attach and show here"
            onUploaded={({ reference }) => editor.current?.insert(reference)}
          />
        </section>
        <section aria-labelledby="preview">
          <h2 id="preview" className={styles.title}>
            Preview
          </h2>
          <PageText org={org} page={page} text={shown} />
        </section>
      </div>
    </Form>
  )
}

interface TitleProps {
  title: string
  error: unknown
  onChange: (title: string) => void
}

function TitleField({ title, error, onChange }: TitleProps) {
  return (
    <Field label="Title" name="title" error={error}>
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
