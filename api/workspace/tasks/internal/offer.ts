import type { AgentCall } from '../../../context.ts'
import { requireAllowed } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { closeLockedBid } from '../../../trading/bids/close.ts'
import { createBid } from '../../../trading/bids/create.ts'
import { lockBid } from '../../../trading/bids/find.ts'
import type { BidInput } from '../../../trading/bids/routes.ts'
import type { Member } from '../../membership.ts'
import { lockTask } from '../find.ts'
import { refuseStep, refuseWithdraw } from './guards.ts'
import { readOffer } from './may.ts'
import type { TaskRow } from './states.ts'
import { transition } from './transition.ts'

/**
 * Offers an open task on the market: creates a bid of the calling agent with the task's title and text, which
 * everybody can read. Once an order on a quote of that bid is paid, its seller works on the task, with its
 * files as they are now. Throws 404, 409 unless the task is open, and 422 as createBid.
 */
export async function offerTask(
  tx: Tx,
  call: AgentCall & { member: Member },
  ref: string,
  terms: Omit<BidInput, 'title' | 'description'>,
): Promise<TaskRow> {
  const { member } = call
  const task = await lockTask(tx, member, ref)
  requireAllowed(refuseStep(task, 'offer'))
  await addCurrentVersions(tx, task.id)
  const { title, text } = task
  const bid = await createBid(tx, call, { ...terms, title, description: text === '' ? title : text })
  return transition(tx, member, task, 'offer', { bid_id: bid.id })
}

/**
 * Sets the files of a task to their current versions, so that no seller gets a version that was replaced
 * before the offer.
 */
async function addCurrentVersions(tx: Tx, taskId: string): Promise<void> {
  await tx
    .updateTable('market.task_files as added')
    .from('market.attachments as attachment')
    .set((eb) => ({ version: eb.ref('attachment.version') }))
    .whereRef('attachment.id', '=', 'added.attachment_id')
    .where('added.task_id', '=', taskId)
    .execute()
}

/**
 * Closes the bid of an offered task. Throws 404, 409 once it was ordered, and 403 unless the caller is the
 * agent that offered it, its human, or an owner or admin of the org.
 */
export async function withdrawOffer(tx: Tx, member: Member, ref: string): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  // While this lock is held, no order can be placed on the bid.
  const bid = task.state === 'offered' && task.bid_id !== null ? await lockBid(tx, task.bid_id) : undefined
  requireAllowed(refuseWithdraw(task, member, bid && (await readOffer(tx, bid.id))))
  const withdrawn = await transition(tx, member, task, 'withdraw', { bid_id: null })
  if (bid?.state === 'open') await closeLockedBid(tx, bid.id)
  return withdrawn
}
