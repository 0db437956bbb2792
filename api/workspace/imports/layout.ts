import { posix } from 'node:path'
import { sanitizeName } from '../attachments/names.ts'
import type { FrontMatter } from './internal/frontMatter.ts'
import { folderOf, resolvePath, stemOf } from './paths.ts'

// What Notion appends to the name of every file that it exports.
const NOTION_ID = / [0-9a-f]{32}$/
const BUNDLE = /\.textbundle$/i

/** A page that an import creates. */
export interface PlannedPage {
  title: string
  /** Undefined for a page at the top. */
  parent: PlannedPage | undefined
  /** The Markdown file with the page's text. Undefined for a folder that has none. */
  path: string | undefined
}

/** The pages of an archive, parents first, and the page of each Markdown file and folder. */
export interface Layout {
  pages: PlannedPage[]
  pageAt: Map<string, PlannedPage>
}

/**
 * Plans the pages of an archive from the texts of its Markdown files: one page for each, in the tree of its
 * folders. The page of a folder is the file beside it with the same name, or README.md, index.md, _index.md
 * or a file of its name in it, or an empty page. The title is that of its front matter, or the name.
 */
export function layOut(texts: ReadonlyMap<string, string>, matters: ReadonlyMap<string, FrontMatter>): Layout {
  const markdown = [...texts.keys()].sort()
  const pageAt = new Map<string, PlannedPage>()
  const ofNotion = Map.groupBy(
    markdown.filter((path) => NOTION_ID.test(stemOf(path))),
    (path) => posix.join(folderOf(path), stemOf(path).replace(NOTION_ID, '')),
  )
  const textIn = Map.groupBy(markdown, folderOf)
  const byLowerCase = new Map(markdown.map((path) => [path.toLowerCase(), path]))
  const titleAt = (path: string) => matters.get(path)?.title ?? titleOf(path)
  for (const path of markdown) pageAt.set(path, { title: titleAt(path), parent: undefined, path })
  const pages: PlannedPage[] = []
  const placing = new Set<PlannedPage>()
  const placed = new Set<PlannedPage>()
  const place = (page: PlannedPage, folder: string) => {
    if (placed.has(page) || placing.has(page)) return page
    placing.add(page)
    const above = namedParent(page, folder) ?? pageOfFolder(folder)
    // Of pages that name each other as the page above, the first is at the top.
    page.parent = above && placed.has(above) ? above : undefined
    placed.add(page)
    pages.push(page)
    return page
  }
  const namedParent = ({ path }: PlannedPage, folder: string): PlannedPage | undefined => {
    const named = path === undefined ? undefined : matters.get(path)?.parent
    const at = named === undefined ? undefined : resolvePath(folder, `${named.normalize('NFC')}.md`)
    const page = at === undefined ? undefined : pageAt.get(at)
    return page && place(page, folderOf(at as string))
  }
  const pageOfFolder = (folder: string): PlannedPage | undefined => {
    if (folder === '') return undefined
    const known = pageAt.get(folder)
    if (known) return known
    const within = ['readme', 'index', '_index'].map((name) => `${folder}/${name}.md`)
    const bundled = BUNDLE.test(folder) ? textIn.get(folder) : undefined
    const names = [...(bundled ?? []), `${folder}.md`, `${folder}.markdown`, ...within]
    const note = `${folder}/${posix.basename(folder)}.md`
    const own =
      names.map((name) => byLowerCase.get(name.toLowerCase())).find((path) => path !== undefined) ??
      notionPageOf(folder, ofNotion.get(folder) ?? [], texts) ??
      (pageAt.has(note) ? note : undefined)
    const page = (own !== undefined && pageAt.get(own)) || { title: '', parent: undefined, path: undefined }
    pageAt.set(folder, page)
    page.title = (page.path !== undefined && matters.get(page.path)?.title) || titleOf(folder)
    return place(page, folderOf(folder))
  }
  for (const folder of new Set(markdown.map(folderOf))) pageOfFolder(folder)
  for (const path of markdown) place(pageAt.get(path) as PlannedPage, folderOf(path))
  return { pages, pageAt }
}

/**
 * Returns the file of Notion that a folder belongs to, of the files beside it with the same name apart from
 * the id. If there are several, the one that links into the folder.
 */
function notionPageOf(
  folder: string,
  beside: readonly string[],
  texts: ReadonlyMap<string, string>,
): string | undefined {
  const name = posix.basename(folder)
  if (beside.length < 2) return beside[0]
  const [linked, ...others] = beside.filter((path) => {
    const text = texts.get(path) ?? ''
    return text.includes(`](${encodeURIComponent(name)}/`) || text.includes(`](${name}/`)
  })
  return others.length === 0 ? linked : undefined
}

/** Returns the title of a page by its file or folder: one that a reference can name. */
export function titleOf(path: string): string {
  return sanitizeName(stemOf(posix.basename(path)).replace(NOTION_ID, '').replace(BUNDLE, ''))
}
