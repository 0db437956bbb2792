import type { Selectable } from 'kysely'
import type { Database, TaskState } from '../../../platform/db/generated/tables.ts'
import type { Transition } from '../../../platform/db/lifecycle.ts'
import type { taskEvents } from '../module.ts'

/** A task as stored. */
export type TaskRow = Selectable<Database['market.tasks']>

/** A transition of a task, with its event (workspace spec 6.1). */
interface LoggedTransition extends Transition<TaskState> {
  event: keyof typeof taskEvents
}

/** The actions of members. None of them moves a task that an order runs for. */
const ownTransitions = {
  claim: { from: ['open'], to: 'claimed', event: 'task.claimed' },
  release: { from: ['claimed'], to: 'open', event: 'task.released' },
  /** The lease is over, and its claimant has not renewed it. */
  expire: { from: ['claimed'], to: 'open', event: 'task.claim_stale' },
  submit: { from: ['claimed', 'rejected'], to: 'submitted', event: 'task.submitted' },
  approve: { from: ['submitted'], to: 'approved', event: 'task.approved' },
  reject: { from: ['submitted'], to: 'rejected', event: 'task.rejected' },
  refile: { from: ['approved', 'rejected', 'archived'], to: 'open', event: 'task.refiled' },
  archive: { from: ['open', 'approved', 'rejected'], to: 'archived', event: 'task.archived' },
  offer: { from: ['open'], to: 'offered', event: 'task.updated' },
  withdraw: { from: ['offered'], to: 'open', event: 'task.updated' },
} as const satisfies Record<string, LoggedTransition>

/** The transitions that an order causes: paid, delivered, accepted, rejected, and ended in another way. */
const orderedTransitions = {
  begin: { from: ['offered'], to: 'claimed', event: 'task.claimed' },
  deliver: { from: ['claimed', 'rejected'], to: 'submitted', event: 'task.submitted' },
  accept: { from: ['claimed', 'submitted', 'rejected'], to: 'approved', event: 'task.approved' },
  refuse: { from: ['submitted'], to: 'rejected', event: 'task.rejected' },
  end: { from: ['claimed', 'submitted', 'rejected'], to: 'open', event: 'task.released' },
} as const satisfies Record<string, LoggedTransition>

/** The lifecycle of a task as data. Each verb checks who may take its action. */
export const taskTransitions = { ...ownTransitions, ...orderedTransitions }

export type OwnTransition = keyof typeof ownTransitions
export type OrderedTransition = keyof typeof orderedTransitions
export type TaskTransition = OwnTransition | OrderedTransition
