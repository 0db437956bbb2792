import { sectionsOf } from '../../pages/references.ts'
import type { FoundLink } from './markdown.ts'

/**
 * Returns the name by which a target is referred to: a page's title or a file's name. Undefined if the target
 * is not in this import.
 */
export type Lead = (target: string, kind: FoundLink['kind']) => string | undefined

/** A text with references to pages and files, and the links, as they were written, that lead to none. */
export interface Rewritten {
  text: string
  unresolved: string[]
}

/** The target of a link, and the section there, with its #. */
interface Led {
  name: string
  section: string
}

/**
 * Returns a text in which links and images with a path, and references by another program's names, are
 * replaced by references to pages and files. A link that leads nowhere stays as it is.
 */
export function rewriteLinks(text: string, links: readonly FoundLink[], lead: Lead): Rewritten {
  const parts: string[] = []
  const unresolved: string[] = []
  let at = 0
  for (const link of links) {
    if (link.from < at || isElsewhere(link)) continue
    const written = rewritten(link, lead)
    if (written === undefined) {
      unresolved.push(link.written)
      continue
    }
    parts.push(text.slice(at, link.from), written)
    at = link.to
  }
  return { text: [...parts, text.slice(at)].join(''), unresolved }
}

/** Whether a link leads to another site, or to a place on its own page. */
function isElsewhere({ kind, target }: FoundLink): boolean {
  if (kind === 'name') return target.trim().startsWith('#')
  return target === '' || /^(?:[#?]|\/\/|[a-z][a-z0-9+.-]*:)/i.test(target)
}

function rewritten(link: FoundLink, lead: Lead): string | undefined {
  const { form, kind, target, aliases } = link
  const led = kind === 'path' ? leadPath(target, lead) : leadName(target, lead)
  if (led) {
    const destination = `<[[${led.name}${led.section}]]>`
    if (form === 'destination') return destination
    return form === 'linkEnd' ? `](${destination})` : referenceTo(link, led)
  }
  // In the wiki of GitHub the words come first: [[words|Page]].
  const [page = '', ...others] = aliases
  const reversed = kind === 'name' && !link.isEmbed && others.length === 0 ? leadName(page, lead) : undefined
  return reversed && referenceTo({ ...link, target: page, aliases: [target.trim()] }, reversed)
}

function referenceTo({ kind, isEmbed, isInTable, target, aliases }: FoundLink, { name, section }: Led): string {
  const written = kind === 'name' && !isEmbed && aliases.length === 0 ? [target.trim()] : aliases
  const led = `${name}${section}`
  const shown = written.filter((alias) => alias !== '' && alias !== led && !(isEmbed && alias === name))
  const separator = isInTable ? '\\|' : '|'
  return `${isEmbed ? '!' : ''}[[${[led, ...shown.map((alias) => alias.replaceAll('|', separator))].join(separator)}]]`
}

/** Finds the target of a reference. The name may have a # itself; the part after a later one is a section. */
function leadName(target: string, lead: Lead): Led | undefined {
  for (const { name, section } of sectionsOf(target)) {
    const found = name === '' ? undefined : lead(name, 'name')
    if (found !== undefined) return { name: found, section }
  }
  return undefined
}

/** Finds the target of a path, which may contain a # or ?, or end in a fragment or a query. */
function leadPath(target: string, lead: Lead): Led | undefined {
  const [, path = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(target) ?? []
  const found =
    lead(decodePath(target), 'path') ??
    lead(decodePath(path), 'path') ??
    lead(decodePath(path.replace(/\?.*$/s, '')), 'path')
  if (found === undefined) return undefined
  const section = decodeSafely(fragment).replaceAll(/[[\]|\r\n]/g, '')
  const isWhole = lead(decodePath(target), 'path') !== undefined
  return { name: found, section: isWhole || section === '#' ? '' : section }
}

function decodePath(path: string): string {
  return decodeSafely(path).normalize('NFC').replaceAll('\\', '/')
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
