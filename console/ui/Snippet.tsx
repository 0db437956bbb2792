import { useState } from 'react'
import { Button } from './Button.tsx'
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
        <Button kind="quiet" aria-label={`Copy the ${title} call`} onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <pre>{text}</pre>
    </div>
  )
}
