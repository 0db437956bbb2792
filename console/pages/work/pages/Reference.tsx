import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import styles from '../../../ui/layout/Text.module.css'
import { sectionId } from '../../../ui/markdown/markdownTokens.ts'
import { previewUrl } from '../files/previewUrl.ts'
import { isPicture, partsOf, type Targets, targetOf } from './references.ts'

interface Props {
  org: string
  /** The text between the brackets: a name, and after a | its label. */
  reference: string
  isEmbedded: boolean
  targets: Targets
  /** Its label, if that is more than text. */
  words?: ReactNode
}

/** A reference in a text, as a link to what it leads to, or as the picture that it embeds. */
export function Reference({ org, reference, isEmbedded, targets, words }: Props) {
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
