import { sql } from 'kysely'
import type { Person } from '../platform/db/personalDataRule.ts'

/** Returns a human in the form that the rules of personal data need. */
export function personOf(humanId: string): Person {
  return {
    id: humanId,
    agents: sql`(select id from market.agents where owner_id = ${humanId})`,
    authors: sql`(
      select 'market:human:' || ${humanId}::text union all
      select 'market:agent:' || id from market.agents where owner_id = ${humanId})`,
    loneOrgs: sql`(
      select own.org_id from market.org_members own where own.human_id = ${humanId} and not exists (
        select from market.org_members other where other.org_id = own.org_id and other.human_id <> own.human_id))`,
  }
}
