import type { Body } from '../../../data/queries.ts'
import styles from '../../../ui/Text.module.css'
import { previewUrl } from './previewUrl.ts'

/** A picture of a file, by a signed link; where there is none, why. */
export function AttachmentPreview({ org, file }: { org: string; file: Body<'getAttachment'> }) {
  if (file.state === 'trashed' || file.scan_state === 'infected') return null
  if (file.preview_state === 'pending') return <p className="muted">The preview is being made …</p>
  if (file.preview_state === 'failed') return <p className="muted">No preview: nothing here could read this file.</p>
  if (file.preview_state === 'unsupported') return null
  return (
    <div className={styles.text}>
      <img
        key={file.version}
        className={styles.embed}
        src={previewUrl(org, file, 1024)}
        alt={`Preview of ${file.filename}`}
      />
    </div>
  )
}
