import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { usePeople } from '../../../../data/org.ts'
import type { Body } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { t } from '../../../../texts/texts.ts'
import styles from '../../../../ui/layout/Text.module.css'
import { Markdown } from '../../../../ui/markdown/Markdown.tsx'
import { sectionId } from '../../../../ui/markdown/markdownTokens.ts'
import { useHashTarget } from '../../comments/useHashTarget.ts'
import { previewUrl } from '../../files/previewUrl.ts'
import { isPicture, partsOf, type Targets, targetOf } from './references.ts'
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

interface ReferenceProps {
  org: string
  /** The text between the brackets: a name, and after a | its label. */
  reference: string
  isEmbedded: boolean
  targets: Targets
  /** Its label, if that is more than text. */
  words?: ReactNode
}

/** A reference in a text, as a link to what it leads to, or as the picture that it embeds. */
function Reference({ org, reference, isEmbedded, targets, words }: ReferenceProps) {
  const { target, aliases, width } = partsOf(reference)
  const shown = words ?? aliases[0] ?? target
  const found = targetOf(target, targets)
  if (!found) return <span className={styles.missing}>[{t('there is no {name}', { name: target })}]</span>
  if (found.kind === 'section') return <a href={`#${sectionId(found.section)}`}>{shown}</a>
  if (found.kind === 'page')
    return <Link href={`${pathTo('page', { org, ref: found.shortId })}${hashOf(found.section)}`}>{shown}</Link>
  const { file, name } = found
  const alt = aliases[0] ?? name
  const picture = <img className={styles.embed} src={previewUrl(org, file, 1024)} alt={alt} width={width} />
  return (
    <Link href={pathTo('attachment', { org, ref: file.short_id })}>
      {isEmbedded && isPicture(file) ? picture : shown}
    </Link>
  )
}

function hashOf(section: string): string {
  return section === '' ? '' : `#${sectionId(section)}`
}
