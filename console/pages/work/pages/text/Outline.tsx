import { useMemo, useState } from 'react'
import { t } from '../../../../texts/texts.ts'
import { headingsOf } from '../../../../ui/markdown/markdownTokens.ts'
import styles from './Outline.module.css'

const FEWEST = 2
const WIDE = '(min-width: 1280px)'

interface Props {
  text: string
  /** Called with the number of a heading, in the editor. Without it a heading is a link to its section. */
  onGo?: (index: number) => void
}

/**
 * The headings of a page, each leading to its section. Beside the text where there is room, else folded above
 * it.
 */
export function Outline({ text, onGo }: Props) {
  const headings = useMemo(() => headingsOf(text), [text])
  const [isOpen] = useState(() => matchMedia(WIDE).matches)
  if (headings.length < FEWEST) return null
  const top = Math.min(...headings.map(({ depth }) => depth))
  return (
    <nav aria-label={t('On this page')} className={styles.outline}>
      <details open={isOpen}>
        <summary>{t('On this page')}</summary>
        <ul className="plain">
          {headings.map(({ depth, words, id }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: headings may be the same, and have no identity.
            <li key={index} data-depth={Math.min(depth - top, 3)}>
              {onGo ? (
                <button type="button" className="quiet" onClick={() => onGo(index)}>
                  {words}
                </button>
              ) : (
                <a href={`#${id}`}>{words}</a>
              )}
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )
}
