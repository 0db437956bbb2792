import { useState } from 'react'
import { t } from '../../texts/texts.ts'
import { shortened } from './format.ts'
import styles from './Hash.module.css'

const COPIED_MS = 1_500

interface Props {
  value: string
  label?: string | undefined
  /** Where more is told of it, elsewhere. */
  href?: string | undefined
}

/** A hash, an address or an id: shortened, whole in its title and when copied. */
export function Hash({ value, label = t('Copy'), href }: Props) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return (
    <span className={styles.hash} title={value}>
      {href === undefined ? (
        <span className="mono">{shortened(value)}</span>
      ) : (
        <a className="mono" href={href} target="_blank" rel="noreferrer">
          {shortened(value)}
        </a>
      )}
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
