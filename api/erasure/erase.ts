import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { unknownToken } from '../http/credentials.ts'
import { eraseAuditEntries } from './audit.ts'
import { requireErasable } from './blockers.ts'
import { forgetCreation } from './creation.ts'
import { personalData, type TableRule } from './registry.ts'

/**
 * Erases a human: their personal data and that of their agents, wherever the registry says it is kept, in one transaction.
 * Waits for whatever is being written for them, and nothing is written for them afterwards. Answers when it was.
 * Throws erase_blocked, having changed nothing, while something of theirs is open, and 401 where they were erased before.
 */
export async function eraseHuman(tx: Tx, humanId: string): Promise<Date> {
  const { rows: standing } = await sql`
    select from market.humans where id = ${humanId} and erased_at is null for update`.execute(tx)
  if (standing.length === 0) throw unknownToken()
  // Two owners who go at once must see each other go.
  await sql`select from market.orgs where id in (select org_id from market.org_members where human_id = ${humanId})
    order by id for update`.execute(tx)
  await requireErasable(tx, humanId)
  await eraseAuditEntries(tx, humanId)
  await forgetCreation(tx, humanId)
  for (const [table, rule] of Object.entries(personalData)) await applyRule(tx, table, rule, humanId)
  const { rows } = await sql<{ erased_at: Date }>`
    update market.humans set erased_at = market.now() where id = ${humanId} returning erased_at`.execute(tx)
  const [erased] = rows
  if (!erased) throw new Error('the human who is to be erased is not there')
  const self = urnString('human', humanId)
  await audit(tx, { actor: self, action: 'human.erase', subject: self })
  return erased.erased_at
}

async function applyRule(tx: Tx, table: string, rule: TableRule, humanId: string): Promise<void> {
  if (rule.deleted) await sql`delete from ${sql.table(table)} where ${rule.deleted.rows(humanId)}`.execute(tx)
  if (!rule.overwritten) return
  const { rows, columns } = rule.overwritten
  const changes = Object.entries(columns).map(([column, effect]) => sql`${sql.ref(column)} = ${effect}`)
  await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${rows(humanId)}`.execute(tx)
}
