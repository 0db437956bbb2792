import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, mayRead } from '../../membership.ts'
import { longerNames, type PageRow } from '../find.ts'
import { isReferable, rewriteReferences } from '../references.ts'
import { writePage } from '../write.ts'

/**
 * Writes the new title of a page into every page that refers to the old title and that the member may edit,
 * and returns the page after that. A title leads to the oldest page that has it, and a file of the referring
 * page comes first: where the new title would lead elsewhere, the old one stays. References to a page of a
 * private space from outside stay as they are, because their readers may not see the new title. The tree must
 * be locked.
 */
export async function renameLinks(tx: Tx, member: Member, before: PageRow, renamed: PageRow): Promise<PageRow> {
  if (!isReferable(renamed.title)) return renamed
  let page = renamed
  for (const from of await findReferring(tx, member, before, renamed.title)) {
    const known = await longerNames(tx, member, from, before.title)
    const text = rewriteReferences(from.text, before.title, renamed.title, known)
    const written = await writePage(tx, member, from, { text })
    if (written.id === page.id) page = written
  }
  return page
}

/**
 * Finds and locks the pages whose references to the former title lead to this page, of the pages that the
 * member may edit. Leaves out pages in the trash, in an archived space, or in a space that the member does
 * not see.
 */
function findReferring(tx: Tx, member: Member, before: PageRow, title: string): Promise<PageRow[]> {
  const { org_id, space_id } = before
  return (
    tx
      .selectFrom('market.page_links as link')
      .innerJoin('market.pages as from', 'from.id', 'link.page_id')
      .innerJoin('market.spaces as around', 'around.id', 'from.space_id')
      .innerJoin('market.spaces as own', (join) => join.on('own.id', '=', space_id))
      .selectAll('from')
      .where('link.org_id', '=', org_id)
      .where('link.name', '=', before.title)
      .where((where) => where.or([where('own.visibility', '=', 'open'), where('from.space_id', '=', space_id)]))
      .where('from.trashed_at', 'is', null)
      .where('around.archived_at', 'is', null)
      .where(mayRead(member, 'from.space_id'))
      .where(leadsTo(before, before.title))
      .where(leadsTo(before, title))
      .orderBy('from.id')
      .forNoKeyUpdate('from')
      // Keeps the space from being archived meanwhile.
      .forShare('around')
      .execute()
  )
}

/** Whether a title, once this page has it, leads to it on the page `from`. */
function leadsTo({ id, org_id }: PageRow, title: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (
      select from market.attachments file where file.page_id = "from".id and file.filename = ${title})
    and not exists (
      select from market.pages older join market.spaces place on place.id = older.space_id
      where older.org_id = ${org_id} and older.title = ${title} and older.trashed_at is null and older.id < ${id}
        -- One of a private space is there for those alone who see that.
        and (place.visibility = 'open' or older.space_id = "from".space_id))`
}
