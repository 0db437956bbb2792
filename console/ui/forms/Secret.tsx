import { useState } from 'react'
import { t } from '../../texts/texts.ts'
import styles from './Secret.module.css'

/** A secret, which is shown once and can be copied. */
export function Secret({ value, about }: { value: string; about: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <div className={styles.secret}>
      <p>{t('{about} It is shown only once.', { about })}</p>
      <pre data-secret>{value}</pre>
      <div className="row">
        <button type="button" className="primary" onClick={copy}>
          {copied ? t('Copied') : t('Copy')}
        </button>
      </div>
    </div>
  )
}
