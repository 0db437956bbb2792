import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { lockPage, type PageRow } from '../find.ts'
import { pageProblems } from '../problems.ts'
import { lockTree } from '../tree.ts'
import { writePage } from '../write.ts'
import { baseVersion } from './etag.ts'
import { mergeTexts } from './merge.ts'
import { renameLinks } from './rename.ts'
import { findVersion } from './versions.ts'

/** The fields of a page to change, and the version that was read. An undefined field stays as it is. */
export interface PageEdit {
  title?: string | undefined
  text?: string | undefined
  updateReferences: boolean
  /** The header If-Match. */
  ifMatch: string | undefined
}

/**
 * Changes the title or the text of a page and returns it. An edit of an earlier version is merged with the
 * changes since. A new title is written into the pages that refer to the old one. Throws the uniform 404, and
 * 412 if a person must do the merge.
 */
export async function editPage(tx: Tx, member: Member, ref: string, edit: PageEdit): Promise<PageRow> {
  if (edit.title !== undefined) await lockTree(tx, member.orgId)
  const page = await lockPage(tx, member, ref)
  const base = baseVersion(edit.ifMatch, page.version)
  const changed = base === page.version ? edit : await merge(tx, page, base, edit)
  const title = changed.title ?? page.title
  const written = await writePage(tx, member, page, { title, text: changed.text ?? page.text })
  return title !== page.title && edit.updateReferences ? renameLinks(tx, member, page, written) : written
}

async function merge(tx: Tx, page: PageRow, base: number, { title, text }: PageEdit) {
  const before = await findVersion(tx, page.id, base)
  return {
    title: title === undefined ? undefined : mergeTitles(before.title, page.title, title),
    text: text === undefined || text === page.text ? page.text : mergeEdit(before.text, page.text, text),
  }
}

function mergeTitles(base: string, theirs: string, ours: string): string {
  if (ours === base || ours === theirs) return theirs
  if (theirs === base) return ours
  throw conflict('title')
}

function mergeEdit(base: string, theirs: string, ours: string): string {
  const merged = mergeTexts(base, theirs, ours)
  if (merged === undefined) throw conflict('text')
  return merged
}

function conflict(field: string): Problem {
  return new Problem(pageProblems.pageConflict, {
    detail: `Somebody has changed the same part of the ${field} since the version in If-Match. Read the page and edit that.`,
    field,
  })
}
