import { useDeferredValue, useRef } from 'react'
import type { Body } from '../../../../../data/queries.ts'
import { t } from '../../../../../texts/texts.ts'
import { useLoaded } from '../../../../../ui/useLoaded.ts'
import { UploadFiles, type UploadsHandle } from '../../../files/UploadFiles.tsx'
import type { EditorHandle } from '../../editor/CodeEditor.tsx'
import { useNames } from '../../editor/useNames.ts'
import outline from '../../text/Outline.module.css'
import { Outline } from '../../text/Outline.tsx'
import { PageText } from '../../text/PageText.tsx'
import styles from '../PageEditor.module.css'

interface Props {
  org: string
  page: Body<'getPage'>
  text: string
  /** Whether plain source is edited: then a preview is beside it. */
  isSource: boolean
  onChange: (text: string) => void
  onReady: (handle: EditorHandle) => void
}

const loadEditor = () => import('../../editor/CodeEditor.tsx').then((file) => file.CodeEditor)

/** The text of a page that is edited, and the files that are attached meanwhile. */
export function EditorPanes({ org, page, text, isSource, onChange, onReady }: Props) {
  const editor = useRef<EditorHandle>(null)
  const uploads = useRef<UploadsHandle>(null)
  const Editor = useLoaded(loadEditor)
  const names = useNames(org, page)
  const shown = useDeferredValue(text)
  return (
    <div className={isSource ? styles.panes : `${styles.writing} ${outline.with}`}>
      {isSource ? null : <Outline text={shown} onGo={(index) => editor.current?.goToHeading(index)} />}
      <section aria-labelledby={isSource ? 'source' : undefined}>
        {isSource ? (
          <h2 id="source" className={styles.title}>
            {t('Markdown')}
          </h2>
        ) : null}
        <div className={styles.source}>
          {Editor ? (
            <Editor
              label={t('Text of the page, in Markdown')}
              initial={text}
              names={names}
              isSource={isSource}
              onChange={onChange}
              onFiles={(files, at) => {
                for (const file of files) {
                  const arrival = editor.current?.beginUpload(file.name, at)
                  if (arrival) uploads.current?.upload(file, arrival)
                }
              }}
              onPick={() => uploads.current?.pick()}
              onReady={(handle) => {
                editor.current = handle
                onReady(handle)
              }}
            />
          ) : null}
        </div>
        <UploadFiles
          ref={uploads}
          org={org}
          page={page.id}
          insert="none"
          label={t('Attach and show here')}
          onUploaded={({ reference }) => editor.current?.insert(reference)}
        />
      </section>
      {isSource ? (
        <section aria-labelledby="preview">
          <h2 id="preview" className={styles.title}>
            {t('Preview')}
          </h2>
          <PageText org={org} page={page} text={shown} />
        </section>
      ) : null}
    </div>
  )
}
