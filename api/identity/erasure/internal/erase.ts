import { sql } from 'kysely'
import { unauthenticated } from '../../../errors.ts'
import { ERASED_DOMAIN, ERASED_WORDS, type Person, type TableRule } from '../../../platform/db/personalDataRule.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { createHuman } from '../../accounts/routes.ts'
import { personOf } from '../../person.ts'
import { requireErasable } from './blockers.ts'

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

/**
 * Erases the name and address from the stored response to the call that created a human. The rest of the
 * response stays on file, so that repeating the call creates no second account.
 */
async function eraseCreation(tx: Tx, humanId: string): Promise<void> {
  const { created_by: createdBy } = await tx
    .selectFrom('market.humans')
    .select('created_by')
    .where('id', '=', humanId)
    .executeTakeFirstOrThrow()
  if (createdBy === null) return
  const answers = await tx
    .selectFrom('market.idempotent_answers')
    .select(['key', 'body'])
    .where('scope', '=', createdBy)
    .where('operation', '=', createHuman.operationId)
    .execute()
  for (const { key, body } of answers) {
    const said = body && JSON.parse(body.toString())
    if (said?.urn?.body !== humanId) continue
    const forgotten = { ...said, display_name: ERASED_WORDS, email: `${humanId}@${ERASED_DOMAIN}` }
    await tx
      .updateTable('market.idempotent_answers')
      .set({ body: Buffer.from(JSON.stringify(forgotten)) })
      .where('scope', '=', createdBy)
      .where('operation', '=', createHuman.operationId)
      .where('key', '=', key)
      .execute()
  }
}
