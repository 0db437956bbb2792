import { useQueryClient } from '@tanstack/react-query'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { readAgain } from '../../../data/conflicts.ts'
import type { Body } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { FolderField } from './internal/FolderField.tsx'
import { UploadingFile } from './internal/UploadingFile.tsx'
import styles from './UploadFiles.module.css'

const READS = ['listAttachments', 'getPage', 'getStorageUsage'] as const

/** What is told of an upload elsewhere too. */
interface Watch {
  progress: (part: number) => void
  /** Called with how the text refers to the file, or without it if the upload was given up. */
  end: (reference?: string) => void
}

/** What can be done with the uploads from outside. */
export interface UploadsHandle {
  upload: (file: File, watch: Watch) => void
  /** Lets the person choose files. */
  pick: () => void
}

interface Props {
  ref?: Ref<UploadsHandle>
  org: string
  page: string
  insert: 'none' | 'embed' | 'link'
  label: string
  /** Whether a folder can be chosen: it becomes one archive, whose pages can be imported. */
  takesFolders?: boolean
  onUploaded?: (file: Body<'getAttachment'>) => void
}

/** Attaches files to a page, each with its progress: chosen, or dropped here. */
export function UploadFiles({ ref, org, page, insert, label, takesFolders, onUploaded }: Props) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState<{ id: string; file: File; watch?: Watch }[]>([])
  const [isOver, setOver] = useState(false)
  const add = (list: FileList | readonly File[] | null) => {
    const added = Array.from(list ?? [], (file) => ({ id: crypto.randomUUID(), file }))
    setFiles((former) => [...former, ...added])
  }
  useImperativeHandle(ref, () => ({
    upload: (file, watch) => setFiles((former) => [...former, { id: crypto.randomUUID(), file, watch }]),
    pick: () => input.current?.click(),
  }))
  const remove = (id: string) => setFiles((former) => former.filter((one) => one.id !== id))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the input in it.
    <div
      className={styles.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        add(event.dataTransfer.files)
      }}
    >
      <Field label={label} hint={t('Or drop files here. Interrupted uploads resume automatically.')}>
        {(props) => (
          <input
            {...props}
            ref={input}
            type="file"
            multiple
            onChange={(event) => {
              add(event.target.files)
              event.target.value = ''
            }}
          />
        )}
      </Field>
      {takesFolders ? <FolderField onArchived={(archive) => add([archive])} /> : null}
      {files.map(({ id, file, watch }) => (
        <UploadingFile
          key={id}
          file={file}
          destination={{ org, page, insert }}
          onProgress={(sentBytes) => watch?.progress(sentBytes / (file.size || 1))}
          onRemove={() => {
            remove(id)
            watch?.end()
          }}
          onDone={async (attachment) => {
            remove(id)
            await readAgain(client, READS, undefined)
            if (watch) watch.end(attachment.reference)
            else onUploaded?.(attachment)
          }}
        />
      ))}
    </div>
  )
}
