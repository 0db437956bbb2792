import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { type Body, useRead } from '../../../../data/queries.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Section } from '../../../../ui/layout/Section.tsx'
import styles from '../../../../ui/layout/Text.module.css'

const WHY: Partial<Record<Body<'getAttachment'>['text_state'], Message>> = {
  pending: msg('The text is being read …'),
  failed: msg('The text of this file could not be read.'),
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
  const why = WHY[file.text_state]
  return (
    <Section title={t('Text')}>
      {why ? <p className="muted">{t(why)}</p> : null}
      <Problem error={error} />
      {data ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
          <pre tabIndex={0} className={styles.wrapped}>
            {data.text}
          </pre>
          <div className="row small muted">
            {t('{shown} of {total, plural, one {# character} other {# characters}}, from {offset}', {
              shown: data.characters,
              total: data.total_characters,
              offset: data.offset,
            })}
            {data.offset > 0 ? <Button onClick={() => setOffset('0')}>{t('From the beginning')}</Button> : null}
            {data.next_offset === null ? null : (
              <Button onClick={() => setOffset(String(data.next_offset))}>{t('Go on')}</Button>
            )}
            {data.next_offset === null && file.text_state === 'truncated'
              ? t('The end of the file was left out.')
              : null}
          </div>
        </>
      ) : null}
    </Section>
  )
}
