import { type ReactNode, useEffect, useRef } from 'react'
import styles from './PageHead.module.css'

interface Props {
  title: string
  /** Above the title: the state, and the next deadline. */
  kicker?: ReactNode
  /** Beside the title, large: a sum. */
  aside?: ReactNode
  /** Below the title: who, what kind, which id. */
  about?: ReactNode
  /** Below the rule: what a person can do. */
  actions?: ReactNode
}

/**
 * The head of a page: its title gets the focus after navigation, unless the person is in the page already; it
 * names the tab.
 */
export function PageHead({ title, kicker, aside, about, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Market`
  }, [title])
  useEffect(() => {
    if (!document.activeElement?.closest('main, dialog')) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header className={styles.head}>
      {kicker ? <div>{kicker}</div> : null}
      <div className={styles.line}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside ? <div className={styles.aside}>{aside}</div> : null}
      </div>
      {about ? <div className="muted">{about}</div> : null}
      <div className={styles.rule} />
      {actions ? <div className="row">{actions}</div> : null}
    </header>
  )
}
