import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { announce } from '../../platform/announcements/announce.ts'
import type { TableRule } from '../../platform/db/personalDataRule.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { ErasureChanged, MembershipChanged } from '../announcements.ts'
import { endInvitationsTo } from '../orgs/answerInvitation.ts'
import { eraseHuman } from './internal/erase.ts'
import { erasureEvents } from './module.ts'

const AT_ONCE = 100
const FIRST = '00000000-0000-0000-0000-000000000000'
const IS_DUE = sql`request.told_at <= market.now() - market.erasure_delay()`
// People who are erased or have open business are skipped: their requests would raise an alarm at each run.
const IS_POSSIBLE = sql`not exists (select from market.erasure_blockers(request.human_id))`

/** Notifies people, by every channel, of requests to erase them. The delay begins here. */
export async function tellOfErasures(services: JobServices): Promise<void> {
  const { db, settings } = services
  await forEachRequest(services, sql`request.told_at is null`, (humanId) =>
    inTransaction(db, 'read write', (tx) => tell(tx, settings, humanId)),
  )
}

/**
 * Erases the people whose requests are due and who have nothing open. `rules` are those of every table, in
 * their order.
 */
export async function eraseDue(
  services: JobServices,
  rules: readonly [table: string, rule: TableRule][],
): Promise<void> {
  const { db, settings } = services
  await forEachRequest(services, sql`${IS_DUE} and ${IS_POSSIBLE}`, async (humanId) => {
    try {
      await inTransaction(db, 'read write', (tx) => eraseIfDue(tx, settings, humanId, rules))
    } catch (error) {
      // Something was begun meanwhile.
      if (!(error instanceof Problem && error.problem === 'erase_blocked')) throw error
    }
  })
}

/** Handles all requests of one kind once. A request that fails does not delay the others. */
async function forEachRequest(
  services: JobServices,
  isWanted: ReturnType<typeof sql>,
  act: (humanId: string) => Promise<unknown>,
): Promise<void> {
  for (let after: string | undefined = FIRST; after !== undefined; ) {
    const found: string[] = await findRequests(services.db, isWanted, after)
    await forEach(services, 'erasure', found, act)
    after = found[AT_ONCE - 1]
  }
}

async function findRequests(db: Db, isWanted: ReturnType<typeof sql>, after: string): Promise<string[]> {
  const { rows } = await sql<{ human_id: string }>`
    select request.human_id from market.erasure_requests request
    join market.humans human on human.id = request.human_id and human.erased_at is null
    where request.human_id > ${after} and ${isWanted} order by request.human_id limit ${AT_ONCE}`.execute(db)
  return rows.map(({ human_id }) => human_id)
}

async function tell(tx: Tx, settings: Settings, humanId: string): Promise<void> {
  const { rows } = await sql<{ erase_at: Date }>`
    update market.erasure_requests set told_at = market.now() where human_id = ${humanId} and told_at is null
    returning told_at + market.erasure_delay() as erase_at`.execute(tx)
  // Cancelled meanwhile, or told by another worker.
  const [told] = rows
  if (!told) return
  const payload = { human_urn: urnString('human', humanId), erase_at: told.erase_at.toISOString() }
  await emit(tx, erasureEvents['erasure.requested'], { payload, visibleTo: [humanId] })
  await announce(tx, settings, ErasureChanged, { change: 'requested', humanId })
}

// Locks the human first, as every call by that human does.
async function eraseIfDue(
  tx: Tx,
  settings: Settings,
  humanId: string,
  rules: readonly [table: string, rule: TableRule][],
): Promise<void> {
  await sql`select from market.humans where id = ${humanId} for update`.execute(tx)
  const { rows: due } = await sql`
    select from market.erasure_requests request where request.human_id = ${humanId} and ${IS_DUE}`.execute(tx)
  if (due.length === 0) return
  await announceDepartures(tx, settings, humanId)
  await endInvitationsTo(tx, settings, humanId)
  await eraseHuman(tx, humanId, rules)
}

/** Announces, before a human is erased, that they leave the orgs they are in. */
async function announceDepartures(tx: Tx, settings: Settings, humanId: string): Promise<void> {
  const rows = await tx
    .selectFrom('market.org_members')
    .select(['org_id', 'role'])
    .where('human_id', '=', humanId)
    .orderBy('org_id')
    .execute()
  for (const { org_id: orgId, role } of rows)
    await announce(tx, settings, MembershipChanged, { change: 'removed', orgId, humanId, role, actor: null })
}
