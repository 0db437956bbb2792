import { type RawBuilder, sql } from 'kysely'

/** Whether "own", a membership of an org, sees the space of a column now: what others wrote where it does not is nothing of the human's. */
export function sees(space: string): RawBuilder<boolean> {
  return sql`(own.role <> 'member' or exists (
    select from market.spaces seen where seen.id = ${sql.ref(space)} and (seen.visibility = 'open' or exists (
      select from market.space_members inside where inside.space_id = seen.id and inside.human_id = own.human_id))))`
}
