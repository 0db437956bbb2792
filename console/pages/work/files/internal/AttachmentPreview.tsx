import type { Body } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import styles from '../../../../ui/layout/Text.module.css'
import { previewUrl } from '../previewUrl.ts'

/** The preview of a file, by a signed link, or why there is none. */
export function AttachmentPreview({ org, file }: { org: string; file: Body<'getAttachment'> }) {
  if (file.state === 'trashed' || file.scan_state === 'infected') return null
  if (file.preview_state === 'pending') return <p className="muted">{t('The preview is being made …')}</p>
  if (file.preview_state === 'failed') return <p className="muted">{t('No preview: this file could not be read.')}</p>
  if (file.preview_state === 'unsupported') return null
  return (
    <div className={styles.text}>
      <img
        key={file.version}
        className={styles.embed}
        src={previewUrl(org, file, 1024)}
        alt={t('Preview of {filename}', { filename: file.filename })}
      />
    </div>
  )
}
