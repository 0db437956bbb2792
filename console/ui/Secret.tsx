import { useState } from 'react'
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
      <p>{about} It is shown only once.</p>
      <pre data-secret>{value}</pre>
      <div className="row">
        <button type="button" className="primary" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
    </div>
  )
}
