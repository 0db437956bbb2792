import { sql } from 'kysely'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, requireAdmin } from '../../membership.ts'
import { pageEvents } from '../../pages/module.ts'
import { lockTree } from '../../pages/tree.ts'
import { recordChange } from '../../recordChange.ts'
import { openSpace } from '../../spaces/find.ts'
import { importEvents } from '../module.ts'
import { importProblems } from '../problems.ts'
import { findImport, type ImportRow } from './find.ts'

const NAMED = 5

interface ImportedPage {
  id: string
  short_id: string
  parent_id: string | null
  is_edited: boolean
}

/**
 * Puts the pages that an import created in the trash, with their files. With `keepEdited`, pages that were
 * edited since stay, and so do the pages above them. Throws the uniform 404, 403 unless the caller began the
 * import or is an owner or admin of the org, and 409 for an import that created nothing or was undone, for an
 * archived space, and, without `keepEdited`, if pages were edited.
 */
export async function undoImport(
  tx: Tx,
  { trashDays }: MarketRules,
  member: Member,
  ref: string,
  keepEdited: boolean,
): Promise<ImportRow> {
  await lockTree(tx, member.orgId)
  const { id, created_by, space_id: spaceId } = await findImport(tx, member, ref)
  if (created_by !== member.urn) requireAdmin(member)
  await openSpace(tx, member, spaceId)
  const undone = await tx
    .updateTable('market.imports')
    .set({ state: 'undone', undone_at: sql<Date>`market.now()` })
    .where('id', '=', id)
    .where('state', '=', 'finished')
    .returningAll()
    .executeTakeFirstOrThrow(() => {
      return new Problem(importProblems.importStateConflict, { detail: 'Only an import that has finished is undone.' })
    })
  const pages = await lockPages(tx, id, spaceId)
  const edited = pages.filter(({ is_edited }) => is_edited)
  if (edited.length > 0 && !keepEdited) throw importEdited(edited)
  const kept = withAbove(pages, edited)
  const gone = pages.filter((page) => !kept.has(page.id))
  const tops = topsOf(gone)
  await sql`update market.pages page set trashed_at = market.now(), trashed_with = gone.top,
      purge_at = market.now() + make_interval(days => ${trashDays})
    from unnest(${[...tops.keys()]}::uuid[], ${[...tops.values()]}::uuid[]) gone(id, top) where page.id = gone.id`.execute(
    tx,
  )
  for (const page of gone) {
    const data = { with: tops.get(page.id), import_id: id }
    await recordChange(tx, member.orgId, member, { type: pageEvents['page.deleted'], entity: page, spaceId, data })
  }
  const data = { pages: gone.length, kept: kept.size }
  await recordChange(tx, member.orgId, member, { type: importEvents['import.undone'], entity: undone, spaceId, data })
  return findImport(tx, member, id)
}

/**
 * Returns the pages of an import that are not in the trash, and whether each was edited since; locks them.
 */
async function lockPages(tx: Tx, importId: string, spaceId: string): Promise<ImportedPage[]> {
  const { rows } = await sql<ImportedPage>`
    select page.id, page.short_id, page.parent_id,
      page.version > 1 or page.published_version is not null or page.space_id <> ${spaceId}
        or exists (select from market.entries entry where entry.page_id = page.id)
        or exists (select from market.comments comment where comment.page_id = page.id)
        or exists (select from market.attachments file where file.page_id = page.id
          and (file.import_id is distinct from page.import_id or file.version > 1))
        or exists (select from market.pages below where below.parent_id = page.id and below.trashed_at is null
          and below.import_id is distinct from page.import_id) as is_edited
    from market.pages page where page.import_id = ${importId} and page.trashed_at is null
    order by page.id for no key update of page`.execute(tx)
  return rows
}

/** Returns the ids of pages and of those above them. */
function withAbove(pages: readonly ImportedPage[], edited: readonly ImportedPage[]): Set<string> {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const kept = new Set<string>()
  for (let page of edited as readonly (ImportedPage | undefined)[]) {
    for (; page && !kept.has(page.id); page = byId.get(page.parent_id ?? '')) kept.add(page.id)
  }
  return kept
}

/** Returns, by page id, the uppermost page that the page is trashed with. */
function topsOf(gone: readonly ImportedPage[]): Map<string, string> {
  const byId = new Map(gone.map((page) => [page.id, page]))
  const topOf = (page: ImportedPage): string => {
    const above = byId.get(page.parent_id ?? '')
    return above ? topOf(above) : page.id
  }
  return new Map(gone.map((page) => [page.id, topOf(page)]))
}

function importEdited(edited: readonly ImportedPage[]): Problem {
  const named = edited.slice(0, NAMED).map(({ short_id }) => short_id)
  return new Problem(importProblems.importEdited, {
    detail: `Somebody has written on ${edited.length} of its pages since (${named.join(', ')}${edited.length > NAMED ? ', …' : ''}). Nothing was undone. With keep_edited these stay, and those above them.`,
    field: 'keep_edited',
  })
}
