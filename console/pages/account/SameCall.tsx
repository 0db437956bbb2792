import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Section.tsx'
import styles from './Events.module.css'

/** The same stream for a program: by curl and by the SDK. */
export function SameCall({ pattern }: { pattern: string }) {
  const query = pattern === '*' ? '' : `?subjects=${encodeURIComponent(pattern)}`
  const subjects = pattern.split(/[\s,]+/).map((subject) => `'${subject}'`)
  return (
    <Section title="The same for your program">
      <Copied
        title="curl"
        text={`curl -N -H 'Accept: text/event-stream' -H "Authorization: Bearer $MARKET_TOKEN" '${location.origin}/v1/events${query}'`}
      />
      <Copied
        title="SDK"
        text={`for await (const event of market.events({ subjects: [${subjects.join(', ')}] })) console.log(event)`}
      />
    </Section>
  )
}

function Copied({ title, text }: { title: string; text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className={styles.call}>
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
