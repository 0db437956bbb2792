import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type FetchedFile, fetchFile } from '../../data/files/fetchedFile.ts'
import { Trans } from '../../texts/Trans.tsx'
import { t } from '../../texts/texts.ts'
import { Button } from '../forms/Button.tsx'
import { Dialog } from '../forms/Dialog.tsx'
import { Problem } from '../forms/Problem.tsx'
import { bytesText } from '../values/format.ts'
import { Hash } from '../values/Hash.tsx'
import styles from './OpenFile.module.css'

interface Props {
  name: string
  /** The SHA-256 that was announced. */
  sha256: string
  /** Asks for a link to the bytes. */
  link: () => Promise<string>
  title?: string
}

/**
 * Opens a file of somebody else: its bytes are compared with the announced SHA-256, shown as plain text, and
 * can be saved.
 */
export function OpenFile({ name, sha256, link, title = t('Open') }: Props) {
  const open = useMutation({ mutationFn: async () => fetchFile(await link()) })
  return (
    <>
      <Button busy={open.isPending} onClick={() => open.mutate()}>
        {title}
      </Button>
      <Problem error={open.error} />
      {open.data ? <Opened name={name} sha256={sha256} file={open.data} onClose={open.reset} /> : null}
    </>
  )
}

interface OpenedProps {
  name: string
  sha256: string
  file: FetchedFile
  onClose: () => void
}

function Opened({ name, sha256, file, onClose }: OpenedProps) {
  const fits = file.sha256 === sha256
  return (
    <Dialog title={name} onClose={onClose}>
      {fits ? (
        <p>
          <span className={styles.fits}>✓</span>{' '}
          <Trans
            message="{size} with the SHA-256 that was announced: {hash}"
            size={bytesText(file.blob.size)}
            hash={<Hash value={sha256} />}
          />
        </p>
      ) : (
        <p role="alert" className={styles.fails}>
          ✕{' '}
          {t('This is not what was announced: its SHA-256 is {found}, and {announced} was announced.', {
            found: file.sha256,
            announced: sha256,
          })}
        </p>
      )}
      {file.text === undefined ? (
        <p>{t('It is not a text, or a long one. Save it, and open it with a program that you trust.')}</p>
      ) : (
        /* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it. */
        <pre className={styles.text} tabIndex={0}>
          {file.text || t('It is empty.')}
        </pre>
      )}
      <div>
        <Save name={name} blob={file.blob} />
      </div>
    </Dialog>
  )
}

function Save({ name, blob }: { name: string; blob: Blob }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return (
    <a className="button primary" download={name} href={url}>
      {t('Save')}
    </a>
  )
}
