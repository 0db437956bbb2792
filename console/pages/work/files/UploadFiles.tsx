import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Body } from '../../../data/queries.ts'
import { Field } from '../../../ui/Field.tsx'
import { FolderField } from './FolderField.tsx'
import styles from './UploadFiles.module.css'
import { UploadingFile } from './UploadingFile.tsx'

interface Props {
  org: string
  page: string
  insert: 'none' | 'embed' | 'link'
  label: string
  /** Whether a folder can be chosen: it becomes one archive, whose pages can be imported. */
  takesFolders?: boolean
  onUploaded?: (file: Body<'getAttachment'>) => void
}

/** Attaches files to a page, each with its progress: chosen, or dropped here. */
export function UploadFiles({ org, page, insert, label, takesFolders, onUploaded }: Props) {
  const client = useQueryClient()
  const [files, setFiles] = useState<{ id: string; file: File }[]>([])
  const [isOver, setOver] = useState(false)
  const add = (list: FileList | readonly File[] | null) => {
    const added = Array.from(list ?? [], (file) => ({ id: crypto.randomUUID(), file }))
    setFiles((former) => [...former, ...added])
  }
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
      <Field label={label} hint="Or drop files here. Interrupted uploads resume automatically.">
        {(props) => (
          <input
            {...props}
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
      {files.map(({ id, file }) => (
        <UploadingFile
          key={id}
          file={file}
          destination={{ org, page, insert }}
          onRemove={() => remove(id)}
          onDone={async (attachment) => {
            remove(id)
            await Promise.all(
              ['listAttachments', 'getPage', 'getStorageUsage'].map((name) =>
                client.invalidateQueries({ queryKey: [name] }),
              ),
            )
            onUploaded?.(attachment)
          }}
        />
      ))}
    </div>
  )
}
