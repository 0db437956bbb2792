import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { type Body, useRead } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Section } from '../../../ui/Section.tsx'
import styles from '../../../ui/Text.module.css'

const WHY: Partial<Record<Body<'getAttachment'>['text_state'], string>> = {
  pending: 'The text is being read …',
  failed: 'The text of this file could not be read.',
}

/** The text of a file, a part at a time; the address may name where to begin. */
export function AttachmentText({ org, file }: { org: string; file: Body<'getAttachment'> }) {
  const [search] = useSearchParams()
  const [offset, setOffset] = useState(search.get('offset') ?? '0')
  const hasText = file.text_state === 'ready' || file.text_state === 'truncated'
  const { data, error } = useRead(
    'readAttachmentText',
    { params: { org, ref: file.id }, query: { offset } },
    { enabled: hasText },
  )
  if (file.text_state === 'unsupported') return null
  return (
    <Section title="Text">
      {WHY[file.text_state] ? <p className="muted">{WHY[file.text_state]}</p> : null}
      <Problem error={error} />
      {data ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
          <pre tabIndex={0} className={styles.wrapped}>
            {data.text}
          </pre>
          <div className="row small muted">
            {data.characters} of {data.total_characters} characters, from {data.offset}
            {data.offset > 0 ? <Button onClick={() => setOffset('0')}>From the beginning</Button> : null}
            {data.next_offset === null ? null : (
              <Button onClick={() => setOffset(String(data.next_offset))}>Go on</Button>
            )}
            {data.next_offset === null && file.text_state === 'truncated' ? 'The end of the file was left out.' : null}
          </div>
        </>
      ) : null}
    </Section>
  )
}
