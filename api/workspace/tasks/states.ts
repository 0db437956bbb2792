import type { TaskState } from '../../platform/db/generated/tables.ts'

import type { taskEvents } from './events.ts'

/** A transition of a task: the states it may start from, the one it leads to, and its event (workspace spec 6.1). */
export interface Transition {
  from: readonly TaskState[]
  to: TaskState
  event: keyof typeof taskEvents
}

/** The steps that members take. A task that an order runs for takes none of them. */
const ownSteps = {
  claim: { from: ['open'], to: 'claimed', event: 'task.claimed' },
  release: { from: ['claimed'], to: 'open', event: 'task.released' },
  /** The lease is over, and nobody has renewed it. */
  expire: { from: ['claimed'], to: 'open', event: 'task.claim_stale' },
  submit: { from: ['claimed', 'rejected'], to: 'submitted', event: 'task.submitted' },
  approve: { from: ['submitted'], to: 'approved', event: 'task.approved' },
  reject: { from: ['submitted'], to: 'rejected', event: 'task.rejected' },
  refile: { from: ['approved', 'rejected', 'archived'], to: 'open', event: 'task.refiled' },
  archive: { from: ['open', 'approved', 'rejected'], to: 'archived', event: 'task.archived' },
  offer: { from: ['open'], to: 'offered', event: 'task.updated' },
  withdraw: { from: ['offered'], to: 'open', event: 'task.updated' },
} as const satisfies Record<string, Transition>

/** The steps that an order takes for its task: paid, delivered, accepted, rejected, and ended in another way. */
const orderSteps = {
  begin: { from: ['offered'], to: 'claimed', event: 'task.claimed' },
  deliver: { from: ['claimed', 'rejected'], to: 'submitted', event: 'task.submitted' },
  accept: { from: ['claimed', 'submitted', 'rejected'], to: 'approved', event: 'task.approved' },
  refuse: { from: ['submitted'], to: 'rejected', event: 'task.rejected' },
  end: { from: ['claimed', 'submitted', 'rejected'], to: 'open', event: 'task.released' },
} as const satisfies Record<string, Transition>

/** The lifecycle of a task as data. Each verb checks who may do what. */
export const taskTransitions = { ...ownSteps, ...orderSteps }

export type OwnStep = keyof typeof ownSteps
export type OrderStep = keyof typeof orderSteps
export type TaskStep = OwnStep | OrderStep
