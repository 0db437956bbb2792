import { useState } from 'react'
import { shortened } from './format.ts'
import styles from './Hash.module.css'

const COPIED_MS = 1_500

/** A hash, an address or an id: shortened, whole in its title and when copied. */
export function Hash({ value, label = 'Copy' }: { value: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return (
    <span className={styles.hash} title={value}>
      <span className="mono">{shortened(value)}</span>
      <button type="button" className={styles.copy} onClick={copy} aria-label={`${label} ${value}`}>
        {copied ? '✓' : '⧉'}
      </button>
    </span>
  )
}
