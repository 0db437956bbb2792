import type { CallInput, PageItem } from '../../../../../sdk/market.ts'
import { type Message, msg } from '../../../../texts/texts.ts'
import { marketNow } from '../../../../ui/values/format.ts'

/** A task as lists have it. */
export type Task = PageItem<'listTasks'>
export type TaskState = Task['state']
export type Priority = Task['priority']
export type Plan = NonNullable<CallInput<'updateTask'>['body']>

/** A step that moves a task along its lifecycle or changes its text. */
export type Step = Exclude<Task['may'][number], 'plan' | 'change_files'>

/** The states in the order of the work. */
export const STATES = ['open', 'offered', 'claimed', 'submitted', 'rejected', 'approved', 'archived'] as const

/** The priorities, the most urgent first. */
export const PRIORITIES = ['urgent', 'high', 'medium', 'low', 'none'] as const

export const PRIORITY_WORDS: Record<Priority, Message> = {
  urgent: msg('Urgent'),
  high: msg('High'),
  medium: msg('Medium'),
  low: msg('Low'),
  none: msg('No priority'),
}

export const STEP_WORDS: Record<Step, Message> = {
  claim: msg('Claim'),
  renew: msg('Renew the claim'),
  release: msg('Release'),
  submit: msg('Hand in'),
  approve: msg('Approve'),
  reject: msg('Reject'),
  refile: msg('Reopen'),
  archive: msg('Archive'),
  offer: msg('Offer on the market'),
  withdraw_offer: msg('Take off the market'),
  update: msg('Change'),
}

const LEADS_TO: Partial<Record<Step, TaskState>> = {
  claim: 'claimed',
  release: 'open',
  submit: 'submitted',
  approve: 'approved',
  reject: 'rejected',
  refile: 'open',
  archive: 'archived',
  offer: 'offered',
  withdraw_offer: 'open',
}

/** Returns the step that the service allows now and that brings a task into a state, if there is one. */
export function stepTo(task: Task, state: TaskState): Step | undefined {
  return stepsOf(task).find((step) => LEADS_TO[step] === state)
}

/** Returns the steps that the service allows now, the likely next one first. */
export function stepsOf({ may }: Pick<Task, 'may'>): Step[] {
  return may.filter((action) => action !== 'plan' && action !== 'change_files')
}

/** Returns the state that a step leads to. */
export function stateAfter(step: Step): TaskState | undefined {
  return LEADS_TO[step]
}

/** Returns today in this browser's zone, as 2026-12-31. */
export function today(nowMs = marketNow()): string {
  const now = new Date(nowMs)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** Whether a task is not done by the day on which it was due. */
export function isOverdue({ due_on, state }: Task): boolean {
  return due_on !== null && state !== 'approved' && state !== 'archived' && due_on < today()
}
