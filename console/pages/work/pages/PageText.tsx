import { usePeople } from '../../../data/org.ts'
import type { Body } from '../../../data/queries.ts'
import { t } from '../../../texts/texts.ts'
import styles from '../../../ui/layout/Text.module.css'
import { Markdown } from '../../../ui/markdown/Markdown.tsx'
import { useHashTarget } from '../comments/useHashTarget.ts'
import { Reference } from './Reference.tsx'
import { useTargets } from './useTargets.ts'

interface Props {
  org: string
  page: Body<'getPage'>
  text: string
  /** Called with selected words of the page, to comment on them. */
  onQuote?: (quote: string) => void
}

/** The text of a page, with its references as pictures and links. */
export function PageText({ org, page, text, onQuote }: Props) {
  const { targets, isRead } = useTargets(org, page)
  const { nameOf } = usePeople(org)
  useHashTarget('section-', isRead)
  const takeQuote = () => {
    const quote = document.getSelection()?.toString().trim() ?? ''
    if (quote !== '' && asChosen(page.text).includes(asChosen(quote))) onQuote?.(quote)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: words are chosen here by mouse or keyboard, as in any text.
    <div className={styles.text} onMouseUp={takeQuote} onKeyUp={takeQuote}>
      {text.trim() === '' ? <p className="muted">{t('This page is empty.')}</p> : null}
      <Markdown
        text={text}
        nameOf={nameOf}
        reference={(name, isEmbedded, words) => (
          <Reference org={org} reference={name} isEmbedded={isEmbedded} words={words} targets={targets} />
        )}
      />
    </div>
  )
}

/** Returns a text in the form of a browser's selection, with its line ends and composed characters. */
function asChosen(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').normalize('NFC')
}
