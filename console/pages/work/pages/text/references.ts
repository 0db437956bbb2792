import type { PageItem } from '../../../../../sdk/market.ts'
import type { Body } from '../../../../data/queries.ts'

// The size of an image, after its last |.
const SIZE = /^\d{1,5}(?:x\d{1,5})?$/

/** A file as lists have it. */
export type ListedFile = PageItem<'listAttachments'>

/** What the references of a page can lead to. */
export interface Targets {
  /** The files of the page. */
  files: readonly ListedFile[]
  /** The targets of the references in the page's stored text. */
  references: Body<'getPage'>['references']
  /** The pages of the org. */
  pages: readonly PageItem<'listPages'>[]
}

/** What a reference leads to: a section of its own page, a file of the page, or a page. */
export type Target =
  | { kind: 'section'; section: string }
  | { kind: 'file'; name: string; file: ListedFile }
  | { kind: 'page'; shortId: string; section: string }

/** Returns the name, labels and width of a reference. */
export function partsOf(reference: string): { target: string; aliases: string[]; width: number | undefined } {
  const [written = '', ...aliases] = reference.split(/\\?\|/)
  const width = SIZE.test(aliases.at(-1) ?? '') ? Number.parseInt(aliases.pop() ?? '', 10) : undefined
  return { target: written.normalize('NFC').trim(), aliases, width }
}

/**
 * Returns what a name leads to: the file of that name on the page, else the page that the service has found,
 * or will find for a text that is not stored yet. Undefined if there is neither.
 */
export function targetOf(name: string, { files, references, pages }: Targets): Target | undefined {
  if (name.startsWith('#')) return { kind: 'section', section: name.slice(1) }
  for (const way of waysToRead(name)) {
    const file = files.find(({ filename }) => filename === way.name)
    if (file) return { kind: 'file', name: way.name, file }
    const page = references.find((one) => one.name === way.name) ?? pageNamed(pages, way.name)
    if (page) return { kind: 'page', shortId: page.short_id, section: way.section }
  }
  return undefined
}

/** Whether a file can be shown as a picture. */
export function isPicture({ preview_state, scan_state }: ListedFile): boolean {
  return preview_state === 'ready' && scan_state !== 'infected'
}

/** Whether a title can stand between the brackets. */
export function isReferable(title: string): boolean {
  return !/[[\]|\r\n]|\\$/.test(title)
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
function pageNamed(pages: readonly PageItem<'listPages'>[], name: string): PageItem<'listPages'> | undefined {
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
