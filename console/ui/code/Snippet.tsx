import { useState } from 'react'
import { t } from '../../texts/texts.ts'
import { Button } from '../forms/Button.tsx'
import styles from './Snippet.module.css'

/** A piece of a program under its name, to be copied. */
export function Snippet({ title, text }: { title: string; text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className={styles.snippet}>
      <div className="row spread">
        <h3>{title}</h3>
        <Button kind="quiet" aria-label={t('Copy the {title} call', { title })} onClick={copy}>
          {copied ? t('Copied') : t('Copy')}
        </Button>
      </div>
      <pre>{text}</pre>
    </div>
  )
}
