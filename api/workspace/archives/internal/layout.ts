import type { Described } from './frontMatter.ts'
import { layOutPages, type PageInTree } from './names.ts'

/** A file of an archive: a version of a page, or a stored file. */
export type ArchiveEntry =
  | { path: string; pageId: string; version: number; described: Described }
  | { path: string; fileId: string }
  | { path: string; text: string }

/** The pages and files of an archive, before they have paths. */
export interface ArchiveContent {
  pages: (PageInTree & { version: number })[]
  files: { pageId: string; filename: string; fileId: string; isHarmless: boolean }[]
}

/**
 * Returns the entries of an archive in the order in which they are written. Files that are not harmless are
 * named in a list.
 */
export function layOutArchive({ pages, files }: ArchiveContent): ArchiveEntry[] {
  const { stemOf, movedFrom, pathFor } = layOutPages(pages)
  const renamed = new Map<string, [name: string, filename: string][]>()
  const attached: ArchiveEntry[] = []
  const leftOut: string[] = []
  for (const { pageId, filename, fileId, isHarmless } of files) {
    const path = pathFor(pageId, filename)
    if (isHarmless) attached.push({ path, fileId })
    else leftOut.push(path)
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === filename) continue
    if (!renamed.get(pageId)?.push([name, filename])) renamed.set(pageId, [[name, filename]])
  }
  const written = pages.map(({ id, version, title }): ArchiveEntry => {
    const [parent, names] = [movedFrom(id), renamed.get(id)]
    const described = {
      title,
      ...(parent !== undefined && { parent }),
      ...(names && { files: Object.fromEntries(names) }),
    }
    return { path: `${stemOf(id)}.md`, pageId: id, version, described }
  })
  const entries = [...written, ...attached]
  const text = `The virus scanner has not let these files through:\n${leftOut.join('\n')}\n`
  if (leftOut.length > 0) entries.push({ path: 'LEFT OUT.txt', text })
  return entries
}
