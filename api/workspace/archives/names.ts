import { sanitizeName } from '../attachments/names.ts'

// Windows has no files with these characters, nor any with a name of a device.
const FORBIDDEN = /[<>:"/\\|?*]/g
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

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
 * Lays out pages in folders: `Heron.md`, and in `Heron/` the pages below it and its files, as imports read them. No two paths are
 * the same, also on systems to which upper and lower case are the same.
 */
export function layOutPages(pages: readonly PageInTree[]): Paths {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const taken = new Set<string>()
  const stems = new Map<string, string>()
  const stemOf = (id: string): string => {
    const known = stems.get(id)
    if (known !== undefined) return known
    const page = byId.get(id)
    if (!page) throw new Error(`the page ${id} is not in the archive`)
    const folder = page.parent_id !== null && byId.has(page.parent_id) ? `${stemOf(page.parent_id)}/` : ''
    const stem = free(folder, plainName(page.title), '.md')
    stems.set(id, stem)
    return stem
  }
  const free = (folder: string, stem: string, extension: string): string => {
    for (let number = 1; ; number++) {
      const path = `${folder}${stem}${number === 1 ? '' : ` (${number})`}`
      const key = `${path}${extension}`.normalize('NFC').toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return path
    }
  }
  const pathFor = (page: string, filename: string) => {
    const name = plainName(filename)
    const dot = name.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    return free(`${stemOf(page)}/`, stem, extension) + extension
  }
  for (const { id } of pages) stemOf(id)
  return { stemOf, pathFor }
}

/** Returns a title or a name as every system takes it in a path: no `..`, no separators, no devices. */
export function plainName(name: string): string {
  const plain = sanitizeName(name.replaceAll(FORBIDDEN, '_')).replace(/^\.+/, '_')
  return DEVICE.test(plain) ? `_${plain}` : plain
}
