import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PageItem } from '../../../../sdk/market.ts'
import type { Body } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { sectionId } from '../../../ui/markdownTokens.ts'
import styles from '../../../ui/Text.module.css'
import { previewUrl } from '../files/previewUrl.ts'
import type { ListedPage } from './PageTree.tsx'

// The size of an image, after its last |.
const SIZE = /^\d{1,5}(?:x\d{1,5})?$/

interface Props {
  org: string
  /** The text between the brackets: a name, and after a | its label. */
  reference: string
  isEmbedded: boolean
  files: readonly PageItem<'listAttachments'>[]
  /** The targets of the references in the page's stored text. */
  references: Body<'getPage'>['references']
  pages: readonly ListedPage[]
  /** Its label, if that is more than text. */
  words?: ReactNode
}

/**
 * A reference in a text. It leads to the file of that name on the page, else to the page that the service has found, or will find
 * for a text that is not stored yet.
 */
export function Reference({ org, reference, isEmbedded, files, references, pages, words }: Props) {
  const { target, aliases, width } = partsOf(reference)
  const shown = words ?? aliases[0] ?? target
  if (target.startsWith('#')) return <a href={`#${sectionId(target.slice(1))}`}>{shown}</a>
  for (const { name, section } of waysToRead(target)) {
    const file = files.find(({ filename }) => filename === name)
    if (file) {
      const isShown = isEmbedded && file.preview_state === 'ready' && file.scan_state !== 'infected'
      const alt = aliases[0] ?? name
      const picture = <img className={styles.embed} src={previewUrl(org, file, 1024)} alt={alt} width={width} />
      return <Link href={pathTo('attachment', { org, ref: file.short_id })}>{isShown ? picture : shown}</Link>
    }
    const page = references.find((one) => one.name === name) ?? pageNamed(pages, name)
    if (page) return <Link href={`${pathTo('page', { org, ref: page.short_id })}${hashOf(section)}`}>{shown}</Link>
  }
  return <span className={styles.missing}>[there is no {target}]</span>
}

function hashOf(section: string): string {
  return section === '' ? '' : `#${sectionId(section)}`
}

/** Returns the name, label and width of a reference. */
function partsOf(reference: string): { target: string; aliases: string[]; width: number | undefined } {
  const [written = '', ...aliases] = reference.split(/\\?\|/)
  const width = SIZE.test(aliases.at(-1) ?? '') ? Number.parseInt(aliases.pop() ?? '', 10) : undefined
  return { target: written.normalize('NFC').trim(), aliases, width }
}

/** Returns the ways to read what a reference names, the longest name first: a name may have a # itself. */
function waysToRead(target: string): { name: string; section: string }[] {
  const parts = target.split('#')
  return parts.map((_part, index) => ({
    name: parts
      .slice(0, parts.length - index)
      .join('#')
      .trim(),
    section: parts.slice(parts.length - index).join('#'),
  }))
}

/** Returns the oldest page of a title, else the one that had it last. */
function pageNamed(pages: readonly ListedPage[], name: string): ListedPage | undefined {
  const [titled] = pages
    .filter(({ title }) => title === name)
    .toSorted((one, other) => one.created_at.localeCompare(other.created_at))
  if (titled) return titled
  const [former] = pages
    .flatMap((page) => page.former_titles.map((had) => ({ ...had, page })))
    .filter(({ title }) => title === name)
    .toSorted((one, other) => other.until.localeCompare(one.until))
  return former?.page
}
