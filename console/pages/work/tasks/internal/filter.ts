import { msg } from '../../../../texts/texts.ts'
import { marketNow } from '../../../../ui/values/format.ts'
import { PRIORITIES, STATES, type Task, today } from './taskItem.ts'

/** What the address of the page says is shown, and how. */
export type TaskFilter = Record<(typeof FILTERS)[number], string>

/** The members of the address that leave tasks out. */
const FILTERS = ['q', 'state', 'assignee', 'label', 'priority', 'due', 'space'] as const
const SHOWN = [...FILTERS, 'view', 'sort'] as const

export const DUE_WORDS = { overdue: msg('Overdue'), week: msg('Next 7 days'), none: msg('No due day') } as const
export const SORT_WORDS = {
  order: msg('Board order'),
  priority: msg('Priority'),
  due: msg('Due day'),
  changed: msg('Last changed'),
} as const
export type Sort = keyof typeof SORT_WORDS

const WEEK_MS = 604_800_000
/** In a filter, the person who reads, and nobody. */
export const MINE = 'me'
export const NOBODY = 'nobody'

/** Returns the filter of an address. */
export function filterOf(search: URLSearchParams): TaskFilter {
  return Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? ''])) as TaskFilter
}

/** Returns how many members of a filter leave tasks out. */
export function sizeOf(filter: TaskFilter): number {
  return FILTERS.filter((name) => filter[name] !== '').length
}

/**
 * Returns the part of an address that says what is shown, in one order, so that equal ones are the same text.
 */
export function shownIn(search: URLSearchParams): string {
  const shown = SHOWN.flatMap((name): [string, string][] => {
    const value = search.get(name)
    return value ? [[name, value]] : []
  })
  return new URLSearchParams(shown).toString()
}

/** Whether a task is shown. `me` is the URN of the person who reads. */
export function matches(task: Task, filter: TaskFilter, me: string): boolean {
  const { q, state, assignee, label, priority, space } = filter
  return (
    (q === '' || task.title.toLowerCase().includes(q.toLowerCase())) &&
    (state === '' || task.state === state) &&
    (assignee === '' || isFor(task, assignee, me)) &&
    (label === '' || task.labels.includes(label)) &&
    (priority === '' || task.priority === priority) &&
    (space === '' || task.space_id === space) &&
    isDue(task, filter.due)
  )
}

/** Whether somebody is to do a task, or has claimed it. */
function isFor({ assignee, claimed_by }: Task, who: string, me: string): boolean {
  if (who === NOBODY) return assignee === null && claimed_by === null
  const urn = who === MINE ? me : who
  return assignee === urn || claimed_by === urn
}

function isDue({ due_on, state }: Task, due: string): boolean {
  if (due === '') return true
  if (due === 'none') return due_on === null
  if (due_on === null || state === 'approved') return false
  return due === 'overdue' ? due_on < today() : due_on <= today(marketNow() + WEEK_MS)
}

/** Returns tasks in an order; those in the order of the board come so already. */
export function sorted(tasks: readonly Task[], sort: Sort): Task[] {
  const copy = [...tasks]
  if (sort === 'priority') copy.sort((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority))
  if (sort === 'due') copy.sort((a, b) => (a.due_on ?? '9').localeCompare(b.due_on ?? '9'))
  if (sort === 'changed') copy.sort((a, b) => b.updated_at.localeCompare(a.updated_at))
  return copy
}

/** Returns the labels of tasks, each once. */
export function labelsOf(tasks: readonly Task[]): string[] {
  return [...new Set(tasks.flatMap(({ labels }) => labels))].sort((a, b) => a.localeCompare(b))
}

/** Returns the sort that an address names. */
export function sortOf(search: URLSearchParams): Sort {
  const name = search.get('sort') ?? ''
  return name in SORT_WORDS ? (name as Sort) : 'order'
}

/** Whether an address asks for archived tasks, which are read apart. */
export function wantsArchived(filter: TaskFilter): boolean {
  return STATES.find((state) => state === filter.state) === 'archived'
}
