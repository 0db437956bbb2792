import { posix } from 'node:path'
import type { Archive } from '../../../platform/zip/archive.ts'
import { listEntries, type ZipEntry } from '../../../platform/zip/zip.ts'
import { isIgnored, isMarkdown, safePath } from '../paths.ts'
import { DIRECTORY_LIMITS, ImportRefused, MAX_INFLATED_BYTES, MAX_NESTING } from './limits.ts'
import type { Report } from './report.ts'

/** The entries of an archive by path, and the next number for each path that was taken. */
class Entries extends Map<string, ZipEntry> {
  readonly next = new Map<string, number>()
}

/** Stores an archive that is an entry of another, up to a number of bytes, so that it can be read. */
type StoreInner = (entry: ZipEntry, maxBytes: number) => Promise<Archive>

// The text of a bundle that is an archive without a folder around it.
const BARE_TEXT = /^text\.(?:md|markdown|mdown|mkd|mdx|txt)$/i
const PACK = /\.textpack$/i
const ARCHIVE = /\.zip$/i

/**
 * Lists the entries of an archive of a name, by path. A .textpack is the bundle in it. If the archive has no
 * Markdown, the archives in it are its parts, as Notion exports them: their entries are listed together. The
 * limits count over all of them. Throws ImportRefused beyond the limits, and for symbolic links.
 */
export async function listAll(
  archive: Archive,
  storeInner: StoreInner,
  report: Report,
  name = 'Text',
): Promise<Entries> {
  const left = { entries: DIRECTORY_LIMITS.maxEntries, bytes: MAX_INFLATED_BYTES }
  const listPart = async (part: Archive, depth: number): Promise<Entries> => {
    const listed = await listEntries(part, { ...DIRECTORY_LIMITS, maxEntries: left.entries })
    left.entries -= listed.length
    const entries = new Entries()
    for (const entry of listed) addEntry(entries, entry, '', report)
    for (const [path, entry] of depth === MAX_NESTING ? [] : archivesIn(entries)) {
      left.bytes -= entry.sizeBytes
      if (left.bytes < 0) throw new ImportRefused(`An archive may inflate to ${MAX_INFLATED_BYTES} bytes.`)
      entries.delete(path)
      addWithin(entries, path, await listPart(await storeInner(entry, entry.sizeBytes), depth + 1), report)
    }
    return entries
  }
  let entries = await listPart(archive, 0)
  if (entries.has('info.json') && [...entries.keys()].some((path) => BARE_TEXT.test(path))) {
    const bundled = new Entries()
    addWithin(bundled, `${name.replace(/\.[^.]*$/, '')}.textpack`, entries, report)
    entries = bundled
  }
  for (const { sizeBytes } of entries.values()) left.bytes -= sizeBytes
  if (left.bytes < 0) throw new ImportRefused(`An archive may inflate to ${MAX_INFLATED_BYTES} bytes.`)
  return entries
}

/** Returns the archives among entries that are opened. */
function archivesIn(entries: Entries): [path: string, entry: ZipEntry][] {
  const hasPages = [...entries.keys()].some((path) => isMarkdown(path) || PACK.test(path) || BARE_TEXT.test(path))
  return [...entries].filter(([path]) => (hasPages ? PACK : ARCHIVE).test(path))
}

/** Adds the entries of an archive within another; those of a .textpack as a folder of its name. */
function addWithin(entries: Entries, path: string, within: Entries, report: Report): void {
  const bundle = PACK.test(path) ? path.replace(PACK, '.textbundle') : undefined
  for (const [innerPath, entry] of within) {
    const inBundle = `${bundle}/${innerPath.replace(/^[^/]+\.textbundle\//i, '')}`
    if (bundle === undefined) addEntry(entries, { ...entry, path: innerPath }, path.replace(ARCHIVE, ''), report)
    else addEntry(entries, { ...entry, path: inBundle }, '', report)
  }
}

/**
 * Adds an entry by its path. If the path is taken, the entry goes into a folder with the name of the archive
 * that it is in.
 */
function addEntry(entries: Entries, entry: ZipEntry, stem: string, report: Report): void {
  const path = safePath(entry.path)
  if (entry.path.endsWith('/') || path === '' || isIgnored(path)) return
  if (entry.isLink) throw new ImportRefused(`${path} is a symbolic link. Put what it leads to into the archive.`)
  const free = freePath(entries, path, stem)
  if (free !== path) report.add('file_renamed', path, `There is another of this path: it is ${free}.`)
  entries.set(free, entry)
}

function freePath(entries: Entries, path: string, stem: string): string {
  const inside = stem === '' ? path : safePath(posix.join(stem, path))
  const { dir, name, ext } = posix.parse(inside)
  for (const free of [path, inside]) if (!entries.has(free)) return free
  const first = inside === path ? 1 : 2
  for (let number = entries.next.get(inside) ?? first; ; number++) {
    const free = posix.join(dir, `${name} (${number})${ext}`)
    if (entries.has(free)) continue
    entries.next.set(inside, number + 1)
    return free
  }
}
