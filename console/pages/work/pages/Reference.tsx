import { Link } from 'wouter'
import type { PageItem } from '../../../../sdk/market.ts'
import type { Body } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import styles from '../../../ui/Text.module.css'
import { previewUrl } from '../files/previewUrl.ts'
import type { ListedPage } from './PageTree.tsx'

interface Props {
  org: string
  /** Between the brackets: a name, and behind a | how it is shown. */
  reference: string
  isEmbedded: boolean
  files: readonly PageItem<'listAttachments'>[]
  /** What the page's text, as it is stored, leads to. */
  references: Body<'getPage'>['references']
  pages: readonly ListedPage[]
}

/**
 * A reference in a text: to the file of that name on the page, else to the page that the service says, or, in a text that is not
 * stored yet, to the page that it will say.
 */
export function Reference({ org, reference, isEmbedded, files, references, pages }: Props) {
  const [written = '', shown = written] = reference.split('|')
  const name = written.normalize('NFC').trim()
  const file = files.find(({ filename }) => filename === name)
  if (file) {
    const href = pathTo('attachment', { org, ref: file.short_id })
    const isShown = isEmbedded && file.preview_state === 'ready' && file.scan_state !== 'infected'
    return (
      <Link href={href}>
        {isShown ? <img className={styles.embed} src={previewUrl(org, file, 1024)} alt={shown} /> : shown}
      </Link>
    )
  }
  const page = references.find((one) => one.name === name) ?? pageNamed(pages, name)
  if (page) return <Link href={pathTo('page', { org, ref: page.short_id })}>{shown}</Link>
  return <span className={styles.missing}>[there is no {name}]</span>
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
