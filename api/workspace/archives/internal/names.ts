import { FreeNames, sanitizeName, splitName } from '../../attachments/names.ts'

// Windows has no files with these characters, nor any with a name of a device, whatever its extension.
const FORBIDDEN = /[<>:"/\\|?*]/g
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/i
// Imports leave out what has these names, read the files of a folder of this name as one page, and open those
// archives.
const OF_SYSTEMS = /^(?=(?:__macosx|thumbs\.db|desktop\.ini)$)/i
const BUNDLE = /\.(?=textbundle$)/i
const ATTACHED: readonly [RegExp, string][] = [
  [/\.(?:md|markdown|mdown|mkd|mdx)$/i, '.txt'],
  [/\.textpack$/i, '.zip'],
]

/** Windows takes paths of 260 characters: these leave room for the folder that an archive is unpacked in. */
const MAX_PATH = 240
/** The longest name of a page, and the longest and the deepest folder of one that has others below it. */
const MAX_NAME = 80
const MAX_FOLDER = 110
const MAX_DEPTH = 16
/** What a number that tells equal names apart takes: ` (65000)`. */
const NUMBER = 8

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
  /** Returns the path of the page above a page that is not in its folder. */
  movedFrom: (page: string) => string | undefined
  /** Returns the path of a file of a page. */
  pathFor: (page: string, filename: string) => string
}

/**
 * Lays out pages in folders: `Heron.md`, and in `Heron/` the pages below it and its files, as imports read
 * them. A page whose folder would be too long or too deep is at the top. No path is too long for a system,
 * and no two are the same, also on systems to which upper and lower case are the same.
 */
export function layOutPages(pages: readonly PageInTree[]): Paths {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const free = new FreeNames([], (path) => path.normalize('NFC').toLowerCase())
  const stems = new Map<string, string>()
  const moved = new Map<string, string>()
  // Without recursion: a tree may be deeper than the stack.
  const stemOf = (id: string): string => {
    const waiting: PageInTree[] = []
    for (let page = byId.get(id); page && !stems.has(page.id); page = byId.get(page.parent_id ?? '')) waiting.push(page)
    for (const page of waiting.reverse()) {
      const above = stems.get(page.parent_id ?? '')
      const folder = folderBelow(above)
      if (above !== undefined && folder === '') moved.set(page.id, above)
      stems.set(page.id, free.take(`${folder}${cut(plainName(page.title), MAX_NAME)}`, PAGE).slice(0, -PAGE.length))
    }
    const stem = stems.get(id)
    if (stem === undefined) throw new Error(`the page ${id} is not in the archive`)
    return stem
  }
  const pathFor = (page: string, filename: string) => {
    const folder = `${stemOf(page)}/`
    const plain = plainName(filename)
    const name = ATTACHED.reduce((named, [ending, added]) => (ending.test(named) ? `${named}${added}` : named), plain)
    const { stem, extension } = splitName(name)
    return free.take(`${folder}${cut(stem, MAX_PATH - folder.length - extension.length - NUMBER)}`, extension)
  }
  for (const { id } of pages) stemOf(id)
  return { stemOf, movedFrom: (page) => moved.get(page), pathFor }
}

/** Returns the folder of the pages below a page, with its /; '' if none may be there. */
function folderBelow(stem: string | undefined): string {
  const hasRoom = stem !== undefined && stem.length <= MAX_FOLDER && stem.split('/').length < MAX_DEPTH
  return hasRoom ? `${stem}/` : ''
}

/** Returns a title or a name as every system takes it in a path: no `..`, no separators, no devices. */
export function plainName(name: string): string {
  const plain = sanitizeName(name.replaceAll(FORBIDDEN, '_'))
    .replace(/^\.+/, '_')
    .replace(OF_SYSTEMS, '_')
    .replace(BUNDLE, '_')
  return DEVICE.test(plain) ? `_${plain}` : plain
}

/** Returns the beginning of a name, without half a character, a blank or a dot at its end. */
function cut(name: string, characters: number): string {
  if (name.length <= characters) return name
  return name
    .slice(0, characters)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[. ]+$/, '')
}
