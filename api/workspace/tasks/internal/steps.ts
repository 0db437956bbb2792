import { requireAllowed } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { lockTask } from '../find.ts'
import { refuseDecision, refuseRelease, refuseStep, refuseSubmit } from './guards.ts'
import type { TaskRow } from './states.ts'
import { tell } from './tell.ts'
import { transition } from './transition.ts'

const NOBODY = { claimed_by: null, lease_until: null }

/**
 * Gives a claimed task back. Its claimant, its author, and the owners and admins of the org may. Throws 404,
 * 403 and 409.
 */
export async function releaseTask(tx: Tx, member: Member, ref: string): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  requireAllowed(refuseRelease(task, member))
  return transition(tx, member, task, 'release', NOBODY)
}

/** Hands a task in, for somebody else to approve. Throws 404, 403 unless the caller claimed it, and 409. */
export async function submitTask(tx: Tx, member: Member, ref: string, result: string | null): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  requireAllowed(refuseSubmit(task, member))
  const submitted = await transition(tx, member, task, 'submit', { result, reason: null, lease_until: null })
  await tell(tx, member, submitted, 'task.submitted', submitted.created_by)
  return submitted
}

/** Approves a task: it is done. Throws 404, 403 for its claimant, and 409 unless it is submitted. */
export async function approveTask(tx: Tx, member: Member, ref: string): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  requireAllowed(refuseDecision(task, member, 'approve'))
  const approved = await transition(tx, member, task, 'approve')
  await tell(tx, member, approved, 'task.approved', approved.claimed_by)
  return approved
}

/** Rejects a submitted task; its claimant may submit it again. Throws 404, 403 for its claimant, and 409. */
export async function rejectTask(tx: Tx, member: Member, ref: string, reason: string): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  requireAllowed(refuseDecision(task, member, 'reject'))
  const rejected = await transition(tx, member, task, 'reject', { reason })
  await tell(tx, member, rejected, 'task.rejected', rejected.claimed_by)
  return rejected
}

/** Reopens a task that was done, rejected or archived. Throws 404 and 409. */
export async function refileTask(tx: Tx, member: Member, ref: string): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  requireAllowed(refuseStep(task, 'refile'))
  const fresh = { ...NOBODY, result: null, reason: null, bid_id: null, order_id: null }
  return transition(tx, member, task, 'refile', fresh)
}

/** Archives a task that nobody works on. Throws 404 and 409. */
export async function archiveTask(tx: Tx, member: Member, ref: string): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  requireAllowed(refuseStep(task, 'archive'))
  return transition(tx, member, task, 'archive')
}
