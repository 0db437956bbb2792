import type { Refusal } from '../../../errors.ts'
import { groundProblems } from '../../../errors.ts'
import { type Member, refuseMember } from '../../membership.ts'
import { taskProblems } from '../problems.ts'
import { type OwnTransition, type TaskRow, taskTransitions } from './states.ts'

// Pure rules for the actions of a member on a task. Each verb requires its rule. A task's `may` lists the
// actions whose rules refuse nothing. No client has rules of its own.

/**
 * The actions of a member on a task, most likely next action first. Each is a call; renewing is claiming
 * again.
 */
export const TASK_ACTIONS = [
  'claim',
  'submit',
  'approve',
  'reject',
  'renew',
  'release',
  'refile',
  'offer',
  'withdraw_offer',
  'update',
  'plan',
  'change_files',
  'archive',
] as const
export type TaskAction = (typeof TASK_ACTIONS)[number]

/** The bid that a task is offered by. */
export interface Offer {
  /** The agent whose bid it is. */
  bidderId: string
  /** That agent's human. */
  ownerId: string
  /** The order that was placed on the bid and is not cancelled. */
  orderId: string | null
}

/** Refuses an action on a task that an order runs for, because the order moves it. */
function refuseOrdered({ order_id, state }: TaskRow): Refusal | undefined {
  return order_id === null || state === 'approved' || state === 'archived' ? undefined : ofOrder(order_id)
}

/** Refuses an action in a state from which it cannot start. */
export function refuseStep(task: TaskRow, name: OwnTransition): Refusal | undefined {
  const from: readonly TaskRow['state'][] = taskTransitions[name].from
  return refuseOrdered(task) ?? (from.includes(task.state) ? undefined : stateConflict(from))
}

/** Refuses to claim a task that is not open, unless somebody else's claim on it has expired. */
export function refuseClaim(task: TaskRow, member: Member, now: Date): Refusal | undefined {
  const isOver = task.state === 'claimed' && task.lease_until !== null && task.lease_until <= now
  return isOver && !isClaimant(task, member) ? refuseOrdered(task) : refuseStep(task, 'claim')
}

/** Refuses to renew a claim that is not the member's. */
export function refuseRenew(task: TaskRow, member: Member): Refusal | undefined {
  if (task.state === 'claimed' && isClaimant(task, member)) return refuseOrdered(task)
  return { problem: taskProblems.taskStateConflict, detail: 'You have not claimed this task.' }
}

/**
 * Refuses to give a task back unless the member is its claimant, its author, or an owner or admin of the org.
 */
export function refuseRelease(task: TaskRow, member: Member): Refusal | undefined {
  const isTheirs = isClaimant(task, member) || task.created_by === member.urn
  return refuseOrdered(task) ?? (isTheirs ? undefined : refuseMember(member)) ?? refuseStep(task, 'release')
}

/** Refuses to hand in a task that somebody else has claimed. */
export function refuseSubmit(task: TaskRow, member: Member): Refusal | undefined {
  const isOthers = task.claimed_by !== null && !isClaimant(task, member)
  return refuseOrdered(task) ?? refuseIf(isOthers, 'Somebody else has claimed this task.') ?? refuseStep(task, 'submit')
}

/** Refuses to let a member decide on a task that they did themselves. */
export function refuseDecision(task: TaskRow, member: Member, step: 'approve' | 'reject'): Refusal | undefined {
  const detail = 'You have done this task: somebody else decides on it.'
  return refuseOrdered(task) ?? refuseIf(isClaimant(task, member), detail) ?? refuseStep(task, step)
}

/**
 * Refuses to change the text of a task that is offered, or that an order runs for, because its terms are
 * fixed.
 */
export function refuseUpdate(task: TaskRow): Refusal | undefined {
  const detail = 'The task is offered on the market as it is. Withdraw the offer, change it, and offer it again.'
  const isOffered = task.state === 'offered'
  return refuseOrdered(task) ?? (isOffered ? { problem: taskProblems.taskStateConflict, detail } : undefined)
}

/**
 * Refuses to take a task off the market once it was ordered. Also refuses unless the member is the agent that
 * offered it, its human, or an owner or admin of the org, because that agent may have left.
 */
export function refuseWithdraw(task: TaskRow, member: Member, offer: Offer | undefined): Refusal | undefined {
  const state = refuseStep(task, 'withdraw')
  if (state || !offer) return state
  const isTheirs = offer.bidderId === member.accountId || offer.ownerId === member.accountId
  if (!isTheirs) {
    const refused = refuseMember(member)
    if (refused) return refused
  }
  if (offer.orderId === null) return undefined
  const detail = `The order market:order:${offer.orderId} was placed on this offer. Cancel that.`
  return { problem: taskProblems.taskOfOrder, detail }
}

function isClaimant({ claimed_by }: TaskRow, { urn }: Member): boolean {
  return claimed_by === urn
}

function refuseIf(isRefused: boolean, detail: string): Refusal | undefined {
  return isRefused ? { problem: groundProblems.forbidden, detail } : undefined
}

function ofOrder(orderId: string): Refusal {
  const detail = `The task is done for the order market:order:${orderId}. Accept, reject or cancel that.`
  return { problem: taskProblems.taskOfOrder, detail }
}

/** The refusal for a task that is in none of these states. */
export function stateConflict(from: readonly string[]): Refusal {
  const detail = `This needs a task that is ${from.join(' or ')}. Read the task to see its state.`
  return { problem: taskProblems.taskStateConflict, detail }
}
