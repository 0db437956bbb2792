import { useEffect, useEffectEvent, useState } from 'react'
import type { UploadDestination, UploadedFile } from '../../../../../sdk/files.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { bytesText } from '../../../../ui/values/format.ts'
import styles from '../UploadFiles.module.css'

interface Props {
  file: File
  destination: UploadDestination
  onProgress: (sentBytes: number) => void
  onDone: (attachment: UploadedFile) => void
  onRemove: () => void
}

/**
 * A file that is being uploaded: its progress, or what went wrong. Removing it from the list ends the upload.
 */
export function UploadingFile({ file, destination, onProgress, onDone, onRemove }: Props) {
  const [sent, setSent] = useState(0)
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const run = useEffectEvent(async (signal: AbortSignal) => {
    const { upload } = await import('../../../../data/files/upload.ts')
    const progress = (sentBytes: number) => {
      setSent(sentBytes)
      onProgress(sentBytes)
    }
    onDone(await upload(file, destination, { onProgress: progress, signal }))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is another run.
  useEffect(() => {
    const end = new AbortController()
    setError(undefined)
    run(end.signal).catch((failure) => end.signal.aborted || setError(failure))
    return () => end.abort()
  }, [attempt])
  return (
    <div className={styles.file}>
      <span>{file.name}</span>
      <span className="row">
        <span className="small muted">
          {t('{sent} of {size}', { sent: bytesText(sent), size: bytesText(file.size) })}
        </span>
        {error ? <Button onClick={() => setAttempt(attempt + 1)}>{t('Go on')}</Button> : null}
        <Button kind="quiet" aria-label={t('Stop uploading {name}', { name: file.name })} onClick={onRemove}>
          ✕
        </Button>
      </span>
      <progress aria-label={t('Upload of {name}', { name: file.name })} max={file.size || 1} value={sent} />
      <Problem error={error} />
    </div>
  )
}
