import { posix } from 'node:path'
import { FreeNames, sanitizeName, splitName } from '../../attachments/names.ts'
import { isReferable } from '../../pages/references.ts'
import { MAX_PAGE_CHARACTERS } from '../../pages/write.ts'
import { layOut, type PlannedPage, titleOf } from '../layout.ts'
import { folderOf, withoutMarkdown } from '../paths.ts'
import type { FrontMatter } from './frontMatter.ts'
import { ImportRefused, MAX_ATTACHMENTS } from './limits.ts'
import { LinkReader } from './linkReader.ts'
import { type Lead, rewriteLinks } from './links.ts'
import type { Report } from './report.ts'
import { aliasesOf, type Finder, finder, namesOf } from './targets.ts'

/** A page with its text, and its files: their names on the page by their paths in the archive. */
export interface WrittenPage {
  page: PlannedPage
  text: string
  files: Map<string, string>
  /** The names that are free on the page. */
  names: FreeNames
}

/** The content of an archive: the texts of its Markdown files, their front matter, and the other paths. */
interface Contents {
  name: string
  texts: ReadonlyMap<string, string>
  matters: ReadonlyMap<string, FrontMatter>
  files: ReadonlySet<string>
}

/**
 * Plans the pages of an archive with their texts and files, parents first. `freeTitles` returns titles that
 * no page that the readers of the space see has, because a reference leads to the oldest page of its name. A
 * file is on each page that refers to it, or, if no page does, on the page of its folder. A link that leads
 * nowhere stays as it is, and is in the report. Throws ImportRefused if too many files would be attached.
 */
export async function planImport(
  { name, texts, matters, files }: Contents,
  freeTitles: (titles: readonly string[]) => Promise<string[]>,
  report: Report,
): Promise<WrittenPage[]> {
  const { pages, pageAt } = layOut(texts, matters)
  const titles = await freeTitles([...pages.map(({ title }) => title), titleOf(name.replace(/\.zip$/i, ''))])
  const [names, alias] = [namesOf(pageAt, matters), aliasesOf(pageAt, matters)]
  for (const [index, page] of pages.entries()) page.title = titles[index] as string
  const findPath = finder(pageAt, [...files].sort())
  const find: Finder = (folder, target, kind) => {
    if (kind === 'path') return findPath(folder, target, kind)
    return names.get(target) ?? findPath(folder, target, kind) ?? alias(target)
  }
  const written = await writeAll(pages, { texts, matters, files }, find, { report, room: MAX_ATTACHMENTS - files.size })
  placeRest(written, pageAt, files, titles.at(-1) as string)
  return written
}

async function writeAll(
  pages: readonly PlannedPage[],
  contents: Omit<Contents, 'name'>,
  find: Finder,
  { report, room }: { report: Report; room: number },
): Promise<WrittenPage[]> {
  const written: WrittenPage[] = []
  const reader = new LinkReader()
  let left = room
  try {
    for (const page of pages) {
      written.push(await write(page, contents, find, { reader, report }))
      left -= written.at(-1)?.files.size ?? 0
      if (left < 0) throw new ImportRefused(`The pages refer to files more than ${MAX_ATTACHMENTS} times.`)
    }
  } finally {
    await reader.end()
  }
  return written
}

async function write(
  page: PlannedPage,
  { texts, matters, files }: Omit<Contents, 'name'>,
  find: Finder,
  { reader, report }: { reader: LinkReader; report: Report },
): Promise<WrittenPage> {
  const onPage = { files: new Map<string, string>(), names: new FreeNames() }
  const { path } = page
  if (path === undefined) return { page, text: '', ...onPage }
  const text = texts.get(path) as string
  const ownFile = ownFiles(path, { matters, files }, onPage)
  const lead: Lead = (target, kind) => {
    const found = (kind === 'name' ? ownFile(target) : undefined) ?? find(folderOf(path), target, kind)
    if (typeof found === 'string') return nameOn(onPage, found)
    // No reference can name such a title: the link stays.
    return found && isReferable(found.title) ? found.title : undefined
  }
  const links = await reader.read(text)
  const rewritten = links && rewriteLinks(text, links, lead)
  if (!rewritten || rewritten.text.length > MAX_PAGE_CHARACTERS) {
    report.add(
      'links_not_read',
      path,
      'Its links are as they were: with others it would be too long, or take too long.',
    )
    return { page, text, ...onPage }
  }
  for (const link of rewritten.unresolved) report.add('link_unresolved', path, link)
  return { page, text: rewritten.text, ...onPage }
}

/**
 * Adds the files to a page that have other names in the archive, and returns a function that finds the files
 * of the page's folder by their names.
 */
function ownFiles(
  path: string,
  { matters, files }: Pick<Contents, 'matters' | 'files'>,
  onPage: Pick<WrittenPage, 'files' | 'names'>,
): (name: string) => string | undefined {
  const folder = withoutMarkdown(path)
  for (const [name, filename] of matters.get(path)?.files ?? []) {
    const file = `${folder}/${name.normalize('NFC')}`
    if (files.has(file)) nameOn(onPage, file, filename)
  }
  const byName = new Map([...onPage.files].map(([file, name]) => [name, file]))
  return (name) => {
    const file = byName.get(name) ?? `${folder}/${name}`
    return files.has(file) ? file : undefined
  }
}

/**
 * Adds the files that no page refers to: to the page of their folder, to one above it, or to a page of their
 * own.
 */
function placeRest(
  written: WrittenPage[],
  pageAt: ReadonlyMap<string, PlannedPage>,
  files: ReadonlySet<string>,
  title: string,
): void {
  const referred = new Set(written.flatMap(({ files: onPage }) => [...onPage.keys()]))
  const byPage = new Map(written.map((one) => [one.page, one]))
  let top: WrittenPage | undefined
  for (const path of [...files].filter((one) => !referred.has(one))) {
    let folder = folderOf(path)
    const pageOf = (at: string) => pageAt.get(at) ?? pageAt.get(`${at}.md`)
    while (folder !== '' && !pageOf(folder)) folder = folderOf(folder)
    const page = pageOf(folder)
    let holder = page && byPage.get(page)
    if (!holder) {
      top ??= {
        page: { title, parent: undefined, path: undefined },
        text: '',
        files: new Map(),
        names: new FreeNames(),
      }
      holder = top
    }
    nameOn(holder, path)
  }
  if (top) written.push(top)
}

function nameOn(
  { files, names }: Pick<WrittenPage, 'files' | 'names'>,
  path: string,
  filename = posix.basename(path),
): string {
  const known = files.get(path)
  if (known !== undefined) return known
  const { stem, extension } = splitName(sanitizeName(filename))
  const name = names.take(stem, extension)
  files.set(path, name)
  return name
}
