import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useRead } from '../../../../../data/queries.ts'
import { t } from '../../../../../texts/texts.ts'
import { Problem } from '../../../../../ui/forms/Problem.tsx'
import { PageText } from '../../text/PageText.tsx'
import { useTargets } from '../../text/useTargets.ts'
import styles from './Paper.module.css'

interface Props {
  org: string
  pages: readonly { id: string; title: string }[]
  onDone: () => void
}

/** Reads pages one after the other, and prints them, each beginning on a new sheet. */
export function Paper({ org, pages, onDone }: Props) {
  const [read, setRead] = useState(0)
  const paper = useRef<HTMLDivElement>(null)
  const done = useEffectEvent(onDone)
  const isRead = read === pages.length
  useEffect(() => {
    if (!isRead) return
    const images = paper.current?.querySelectorAll('img') ?? []
    // A picture that cannot be shown is printed as its words.
    void Promise.allSettled([...images].map((image) => image.decode())).then(() => {
      window.print()
      done()
    })
  }, [isRead])
  return (
    <>
      <p role="status" className="small muted">
        {t('Page {number} of {count}', { number: Math.min(read + 1, pages.length), count: pages.length })}
      </p>
      {createPortal(
        <div ref={paper} className={styles.paper}>
          {pages.slice(0, read + 1).map(({ id }, index) => (
            <Sheet key={id} org={org} page={id} onRead={() => setRead((former) => Math.max(former, index + 1))} />
          ))}
        </div>,
        document.body,
      )}
    </>
  )
}

function Sheet({ org, page: ref, onRead }: { org: string; page: string; onRead: () => void }) {
  const { data: page, error } = useRead('getPage', { params: { org, ref } })
  if (!page) return error ? <Problem error={error} /> : null
  return <ReadSheet org={org} page={page} onRead={onRead} />
}

function ReadSheet({ org, page, onRead }: { org: string; page: Parameters<typeof useTargets>[1]; onRead: () => void }) {
  const { isRead } = useTargets(org, page)
  const told = useEffectEvent(onRead)
  useEffect(() => {
    if (isRead) told()
  }, [isRead])
  return (
    <article className={styles.sheet}>
      <h1>{page.title}</h1>
      <PageText org={org} page={page} text={page.rendered_text} />
    </article>
  )
}
