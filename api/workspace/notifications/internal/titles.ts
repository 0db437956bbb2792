import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, mayRead } from '../../membership.ts'

/** What a thing is called now, and whether it was deleted: a deleted comment keeps its place. */
export interface EntityTitle {
  title: string
  isDeleted: boolean
}

/**
 * Returns what the things of notifications are called now, by their ids: a comment by its page or task, a
 * member by their name. Things that are gone, or that the reader does not see where they are now, are left
 * out.
 */
export async function titlesOf(tx: Tx, reader: Member, ids: readonly string[]): Promise<Map<string, EntityTitle>> {
  if (ids.length === 0) return new Map()
  const named = sql`= any(${ids}::uuid[])`
  const { rows } = await sql<EntityTitle & { id: string }>`
    select thing.id, thing.title, thing.is_deleted as "isDeleted" from (
      select id, org_id, space_id, title, false as is_deleted from market.pages where id ${named}
      union all select id, org_id, space_id, title, false from market.tasks where id ${named}
      union all select id, org_id, space_id, title, false from market.decisions where id ${named}
      union all select id, org_id, space_id, name, false from market.secrets where id ${named}
      union all select file.id, file.org_id, page.space_id, file.filename, false
        from market.attachments file join market.pages page on page.id = file.page_id where file.id ${named}
      union all select import.id, import.org_id, import.space_id, file.filename, false
        from market.imports import join market.attachments file on file.id = import.attachment_id where import.id ${named}
      union all select comment.id, comment.org_id, coalesce(page.space_id, task.space_id), coalesce(page.title, task.title),
        comment.deleted_at is not null
        from market.comments comment left join market.pages page on page.id = comment.page_id
        left join market.tasks task on task.id = comment.task_id where comment.id ${named}
      union all select human.id, member.org_id, null, human.display_name, false
        from market.org_members member join market.humans human on human.id = member.human_id where human.id ${named}
    ) thing
    where thing.org_id = ${reader.orgId} and thing.title is not null
      and (thing.space_id is null or ${mayRead(reader, 'thing.space_id')})`.execute(tx)
  return new Map(rows.map(({ id, ...named }) => [id, named]))
}
