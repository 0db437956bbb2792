import { useIsFetching } from '@tanstack/react-query'
import { Component, type ReactNode, useEffect, useReducer, useState } from 'react'
import { t } from '../../texts/texts.ts'
import { Problem } from '../../ui/forms/Problem.tsx'
import { HoldContext } from '../../ui/hold.ts'
import styles from './Main.module.css'

/**
 * A read that needs the answer of another starts after that was shown, so a moment without reads is waited
 * for.
 */
const QUIET_MS = 30
/** What takes longer than this comes later than the rest of its page. */
const LIMIT_MS = 3_000

// The outline of index.html becomes that of the first page. Later pages have theirs only if they take a
// while.
let isFirst = true

interface Props {
  path: string
  className: string | undefined
  /** Above the page, whether that is shown already or not. */
  above?: ReactNode
  children: ReactNode
}

/**
 * The main part of the console. A page appears in it as a whole: its outline is shown until what it reads at
 * first is there.
 */
export function Main({ path, className, above, children }: Props) {
  const reading = useIsFetching()
  const firstReads = useIsFetching({ predicate: ({ state }) => state.data === undefined })
  const [held, hold] = useReducer((count: number, change: 1 | -1) => count + change, 0)
  const [shown, setShown] = useState<string>()
  const isShown = shown === path
  useEffect(() => {
    if (isShown) return
    const show = () => {
      isFirst = false
      setShown(path)
    }
    const timer = setTimeout(show, firstReads + held > 0 ? LIMIT_MS : QUIET_MS)
    return () => clearTimeout(timer)
  }, [isShown, path, firstReads, held])
  return (
    <main id="page" className={className} aria-busy={reading > 0 || !isShown}>
      {above}
      <div className={styles.page}>
        <div className={isShown ? styles.shown : styles.hidden}>
          <Failure key={path}>
            <HoldContext value={hold}>{children}</HoldContext>
          </Failure>
        </div>
        {isShown ? null : <Outline />}
      </div>
    </main>
  )
}

function Outline() {
  return (
    <div className={`outline ${styles.outline}`} data-at-once={isFirst} aria-hidden="true">
      <i />
      <b />
      <i />
      <i />
      <i />
      <i />
      <i />
    </div>
  )
}

/** Shows the error of a page in its place, so that the rest of the console still works. */
class Failure extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (!this.state.error) return this.props.children
    return (
      <div className="stack">
        <h1>{t('Something went wrong on this page')}</h1>
        <Problem error={this.state.error} />
        <div>
          <button type="button" onClick={() => this.setState({ error: undefined })}>
            {t('Try again')}
          </button>
        </div>
      </div>
    )
  }
}
