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
        {copied ? '✓' : <CopyIcon />}
      </button>
    </span>
  )
}

function CopyIcon() {
  return (
    <svg viewBox="0 0 16 16" width="13" height="13" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />
    </svg>
  )
}
