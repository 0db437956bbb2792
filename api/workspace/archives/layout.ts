import { layOutPages, type PageInTree } from './names.ts'

/** A file of an archive: a version of a page, or a stored file. */
export type ArchiveEntry =
  | { path: string; pageId: string; version: number }
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
  const { stemOf, pathFor } = layOutPages(pages)
  const entries: ArchiveEntry[] = pages.map(({ id, version }) => ({ path: `${stemOf(id)}.md`, pageId: id, version }))
  const leftOut: string[] = []
  for (const { pageId, filename, fileId, isHarmless } of files) {
    const path = pathFor(pageId, filename)
    if (isHarmless) entries.push({ path, fileId })
    else leftOut.push(path)
  }
  const text = `The virus scanner has not let these files through:\n${leftOut.join('\n')}\n`
  if (leftOut.length > 0) entries.push({ path: 'LEFT OUT.txt', text })
  return entries
}
