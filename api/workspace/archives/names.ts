import { FreeNames, sanitizeName } from '../attachments/names.ts'

// Windows has no files with these characters, nor any with a name of a device.
const FORBIDDEN = /[<>:"/\\|?*]/g
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * A page whose folder's path would be longer, in characters, is at the top: no system unpacks a deeper tree,
 * and its paths together would grow with the square of its depth.
 */
const MAX_FOLDER = 1_000

const PAGE = '.md'

/** A page of an archive, before it has a path. */
export interface PageInTree {
  id: string
  parent_id: string | null
  title: string
}

/** The paths of an archive: those of its pages, without .md, and a path for each further file. */
export interface Paths {
  stemOf: (page: string) => string
  /** Returns the path of a file of a page. */
  pathFor: (page: string, filename: string) => string
}

/**
 * Lays out pages in folders: `Heron.md`, and in `Heron/` the pages below it and its files, as imports read
 * them. No two paths are the same, also on systems to which upper and lower case are the same.
 */
export function layOutPages(pages: readonly PageInTree[]): Paths {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const free = new FreeNames([], (path) => path.normalize('NFC').toLowerCase())
  const stems = new Map<string, string>()
  // Without recursion: a tree may be deeper than the stack.
  const stemOf = (id: string): string => {
    const waiting: PageInTree[] = []
    for (let page = byId.get(id); page && !stems.has(page.id); page = byId.get(page.parent_id ?? '')) waiting.push(page)
    for (const page of waiting.reverse()) {
      const above = stems.get(page.parent_id ?? '')
      const folder = above === undefined || above.length > MAX_FOLDER ? '' : `${above}/`
      stems.set(page.id, free.take(`${folder}${plainName(page.title)}`, PAGE).slice(0, -PAGE.length))
    }
    const stem = stems.get(id)
    if (stem === undefined) throw new Error(`the page ${id} is not in the archive`)
    return stem
  }
  const pathFor = (page: string, filename: string) => {
    const name = plainName(filename)
    const dot = name.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    return free.take(`${stemOf(page)}/${stem}`, extension)
  }
  for (const { id } of pages) stemOf(id)
  return { stemOf, pathFor }
}

/** Returns a title or a name as every system takes it in a path: no `..`, no separators, no devices. */
export function plainName(name: string): string {
  const plain = sanitizeName(name.replaceAll(FORBIDDEN, '_')).replace(/^\.+/, '_')
  return DEVICE.test(plain) ? `_${plain}` : plain
}
