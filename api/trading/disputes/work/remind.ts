import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { feesOf } from '../../../payments/appealFees/find.ts'
import { readClock, untilMs } from '../../../platform/db/clock.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { actOnDue } from '../../../platform/jobs/due.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import type { OrderRow, Party } from '../../orders/record/find.ts'
import { agentOf, type DisputeRow, lockDisputeRow } from '../record/find.ts'
import { disputeEvents } from '../record/module.ts'
import { disputePayload, partiesOf } from '../record/transition.ts'
import { latestVerdict } from '../record/verdicts.ts'

const PARTIES = ['buyer', 'seller'] as const

/** Reminds the parties of disputes whose evidence closes soon, or whose time to appeal ends. */
export async function remindParties(services: JobServices): Promise<void> {
  const find = (passedOver: readonly string[], limit: number) =>
    unreminded(services.db)
      .select('dispute.id')
      .where('dispute.remind_at', '<=', sql<Date>`market.now()`)
      .$if(passedOver.length > 0, (query) => query.where('dispute.id', 'not in', passedOver))
      .limit(limit)
      .execute()
  await actOnDue(services, 'reminder of a dispute', find, remindPartiesOf)
}

/** Returns the milliseconds until the parties of the next dispute are reminded, or undefined. */
export async function nextDisputeReminderInMs({ db }: JobServices): Promise<number | undefined> {
  return (await unreminded(db).select(untilMs('dispute.remind_at').as('ms')).limit(1).executeTakeFirst())?.ms
}

/**
 * Reminds, by an event, the parties of a dispute that may still hand in evidence or appeal. Returns false if
 * they were reminded before, or if it is too early or too late for a reminder.
 */
async function remindPartiesOf(tx: Tx, disputeId: string): Promise<boolean> {
  const locked = await lockDisputeRow(tx, disputeId)
  if (!locked || locked.order.suspended_at !== null) return false
  const { order, dispute } = locked
  const now = await readClock(tx)
  if (dispute.remind_at === null || dispute.remind_at > now) return false
  if (dispute.due_at === null || dispute.due_at <= now) return false
  await tx.updateTable('market.disputes').set({ remind_at: null }).where('id', '=', disputeId).execute()
  await announceEnd(tx, order, dispute)
  return true
}

async function announceEnd(tx: Tx, order: OrderRow, dispute: DisputeRow): Promise<void> {
  const isEvidence = dispute.state === 'open'
  const verdict = isEvidence ? undefined : await latestVerdict(tx, dispute.id)
  const done = isEvidence ? [] : (await feesOf(tx, dispute.id)).map(({ party }) => party)
  const isAwaited = (party: Party) =>
    (isEvidence ? dispute[`${party}_ready_at`] : dispute[`${party}_waived_at`]) === null && !done.includes(party)
  const awaited_urns = PARTIES.filter(isAwaited).map((party) => urnString('agent', agentOf(order, party)))
  if (awaited_urns.length === 0) return
  const payload = { ...disputePayload(order, dispute), awaited_urns }
  const visibleTo = partiesOf(order)
  if (isEvidence) await emit(tx, disputeEvents['dispute.evidence_due'], { payload, visibleTo })
  if (!verdict) return
  const about = { ...payload, verdict_urn: urnString('verdict', verdict.id) }
  await emit(tx, disputeEvents['dispute.appeal_window_ending'], { payload: about, visibleTo })
}

function unreminded(db: Db) {
  return db
    .selectFrom('market.disputes as dispute')
    .innerJoin('market.orders as order', 'order.id', 'dispute.order_id')
    .where('dispute.state', 'in', ['open', 'decided'])
    .where('dispute.remind_at', 'is not', null)
    .where('order.suspended_at', 'is', null)
    .orderBy('dispute.remind_at')
}
