import { sql } from 'kysely'
import { unauthenticated } from '../../errors.ts'
import type { Person, TableRule } from '../../platform/db/personalDataRule.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { personOf } from '../person.ts'
import { requireErasable } from './blockers.ts'
import { eraseCreation } from './creation.ts'

/**
 * Erases a human: deletes their personal data and that of their agents by the rules of all tables, in one
 * transaction. Waits for concurrent writes for them; later writes are refused. Returns the time of the
 * erasure. Throws erase_blocked, changing nothing, while they have something open, and 401 if they were
 * already erased.
 */
export async function eraseHuman(
  tx: Tx,
  humanId: string,
  rules: readonly [table: string, rule: TableRule][],
): Promise<Date> {
  const { rows: standing } = await sql`
    select from market.humans where id = ${humanId} and erased_at is null for update`.execute(tx)
  if (standing.length === 0) throw unauthenticated()
  // If two owners are erased at once, each must see the other's departure.
  await sql`select from market.orgs where id in (select org_id from market.org_members where human_id = ${humanId})
    order by id for update`.execute(tx)
  await requireErasable(tx, humanId)
  const { rows } = await sql<{ erased_at: Date }>`select market.erase_human(${humanId}) as erased_at`.execute(tx)
  await eraseCreation(tx, humanId)
  const person = personOf(humanId)
  for (const [table, rule] of rules) await applyRule(tx, table, rule, person)
  const [erased] = rows
  if (!erased) throw new Error('erasing answered no row')
  return erased.erased_at
}

async function applyRule(tx: Tx, table: string, rule: TableRule, person: Person): Promise<void> {
  if (rule.deleted) await sql`delete from ${sql.table(table)} where ${rule.deleted.rows(person)}`.execute(tx)
  if (!rule.overwritten) return
  const { rows, columns } = rule.overwritten
  const changes = Object.entries(columns).map(([column, effect]) => sql`${sql.ref(column)} = ${effect}`)
  await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${rows(person)}`.execute(tx)
}
