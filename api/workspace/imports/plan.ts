import { posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { freeName, sanitizeName } from '../attachments/names.ts'
import { MAX_PAGE_CHARACTERS } from '../pages/limits.ts'
import { layOut, type PlannedPage, titleOf } from './layout.ts'
import { ImportRefused, MAX_ATTACHMENTS } from './limits.ts'
import { type Lead, rewriteLinks } from './links.ts'
import { folderOf, resolvePath, stemOf } from './paths.ts'

/** A page with its text, and its files: their names on it by their paths in the archive. */
export interface WrittenPage {
  page: PlannedPage
  text: string
  files: Map<string, string>
}

/** What is in an archive: the texts of its Markdown files, and the paths of the others. */
interface Contents {
  name: string
  texts: ReadonlyMap<string, string>
  files: readonly string[]
}

/**
 * Plans the pages of an archive with their texts and files, those above first. `freeTitles` returns titles that no page
 * has which the readers of the space see: a reference leads to the oldest page of its name. A file is on each page that refers to it; one that none
 * refers to is on the page of its folder. Throws ImportRefused for an archive without Markdown, too long a page, and where
 * too many files would be attached.
 */
export async function planImport(
  { name, texts, files }: Contents,
  freeTitles: (titles: readonly string[]) => Promise<string[]>,
): Promise<WrittenPage[]> {
  const paths = [...texts.keys()].sort()
  if (paths.length === 0) throw new ImportRefused('There is no Markdown in the archive.')
  const { pages, pageAt } = layOut(paths)
  const titles = await freeTitles([...pages.map(({ title }) => title), titleOf(name.replace(/\.zip$/i, ''))])
  for (const [index, page] of pages.entries()) page.title = titles[index] as string
  const find = finder(pageAt, [...files].sort())
  const written: WrittenPage[] = []
  let room = MAX_ATTACHMENTS - files.length
  for (const page of pages) {
    written.push(write(page, texts, find))
    room -= written.at(-1)?.files.size ?? 0
    if (room < 0) throw new ImportRefused(`The pages refer to files more than ${MAX_ATTACHMENTS} times.`)
    // Other jobs of the worker go on meanwhile.
    await setImmediate()
  }
  placeRest(written, pageAt, files, titles.at(-1) as string)
  return written
}

function write(page: PlannedPage, texts: ReadonlyMap<string, string>, find: Finder): WrittenPage {
  const files = new Map<string, string>()
  const text = page.path === undefined ? '' : (texts.get(page.path) as string)
  const lead: Lead = (target, kind) => {
    const found = find(folderOf(page.path ?? ''), target, kind)
    return typeof found === 'string' ? nameOn(files, found) : found?.title
  }
  const fits = (one: string) => one.length <= MAX_PAGE_CHARACTERS
  const rewritten = fits(text) ? rewriteLinks(text, lead) : text
  if (fits(rewritten)) return { page, text: rewritten, files }
  throw new ImportRefused(`${page.path} is longer than the ${MAX_PAGE_CHARACTERS} characters that a page may have.`)
}

/** Adds the files that no page refers to: to the page of their folder, of one above it, or to a page of their own. */
function placeRest(
  written: WrittenPage[],
  pageAt: ReadonlyMap<string, PlannedPage>,
  files: readonly string[],
  title: string,
): void {
  const referred = new Set(written.flatMap(({ files: onPage }) => [...onPage.keys()]))
  const byPage = new Map(written.map((one) => [one.page, one]))
  let top: WrittenPage | undefined
  for (const path of files.filter((one) => !referred.has(one))) {
    let folder = folderOf(path)
    while (folder !== '' && !pageAt.has(folder)) folder = folderOf(folder)
    const page = pageAt.get(folder)
    let holder = page && byPage.get(page)
    if (!holder) {
      top ??= { page: { title, parent: undefined, path: undefined }, text: '', files: new Map() }
      holder = top
    }
    nameOn(holder.files, path)
  }
  if (top) written.push(top)
}

/** Finds the page, or the path of the file, that a link or a name leads to from a folder. */
type Finder = (folder: string, target: string, kind: 'path' | 'name') => PlannedPage | string | undefined

function finder(pageAt: ReadonlyMap<string, PlannedPage>, files: readonly string[]): Finder {
  const filesAt = new Set(files)
  const byStem = new Map<string, PlannedPage>()
  for (const [path, page] of pageAt) if (!byStem.has(stemOf(path))) byStem.set(stemOf(path), page)
  const byName = new Map<string, string>()
  for (const path of files) if (!byName.has(posix.basename(path))) byName.set(posix.basename(path), path)
  const at = (path: string | undefined) => {
    if (path === undefined) return undefined
    return pageAt.get(path) ?? pageAt.get(`${path}.md`) ?? (filesAt.has(path) ? path : undefined)
  }
  return (folder, target, kind) => {
    const found = at(resolvePath(folder, target))
    if (found !== undefined || kind === 'path') return found
    return at(resolvePath('', target)) ?? byStem.get(target) ?? byName.get(target)
  }
}

function nameOn(onPage: Map<string, string>, path: string): string {
  const known = onPage.get(path)
  if (known !== undefined) return known
  const name = freeName(sanitizeName(posix.basename(path)), new Set(onPage.values()))
  onPage.set(path, name)
  return name
}
