import { useState } from 'react'
import { archiveOf } from '../../../../data/files/folder.ts'
import { t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'

// All browsers have it (File and Directory Entries API); the types of React lack it.
declare module 'react' {
  interface InputHTMLAttributes<T> {
    webkitdirectory?: string
  }
}

/** Chooses a folder, and makes one archive of it. */
export function FolderField({ onArchived }: { onArchived: (archive: File) => void }) {
  const [error, setError] = useState<Error>()
  const choose = (files: readonly File[]) => {
    setError(undefined)
    if (files.length > 0) archiveOf(files).then(onArchived, setError)
  }
  return (
    <>
      <Field label={t('A folder')} hint={t('It is attached as one archive. Pages can be made of its Markdown.')}>
        {(props) => (
          <input
            {...props}
            type="file"
            multiple
            webkitdirectory=""
            onChange={(event) => {
              choose([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        )}
      </Field>
      <Problem error={error} />
    </>
  )
}
