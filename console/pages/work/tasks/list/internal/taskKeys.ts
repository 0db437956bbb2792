import type { KeyboardEvent } from 'react'

export type Direction = 'up' | 'down' | 'left' | 'right'

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

interface Actions {
  /** Shift and an arrow: moves the task that has the focus. */
  move: (id: string, direction: Direction) => void
  /** `x`: selects it, or no longer. */
  toggle: (id: string) => void
  /** Escape: nothing is selected any more. */
  clear: () => void
}

/** Handles the keys of a list or a board while one of its tasks has the focus: arrows go to the next task. */
export function onTaskKey(event: KeyboardEvent<HTMLElement>, actions: Actions): void {
  const { target, currentTarget, key } = event
  const id = target instanceof HTMLElement ? target.dataset.task : undefined
  if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const direction = ARROWS[key]
  if (direction && event.shiftKey) actions.move(id, direction)
  else if (direction) goTo(currentTarget, target as HTMLElement, direction)
  else if (key === 'x') actions.toggle(id)
  else if (key === 'Escape') actions.clear()
  else return
  event.preventDefault()
}

/**
 * Moves the focus to the next task in a direction: in a board, beside it means the next column that has
 * tasks.
 */
function goTo(place: HTMLElement, from: HTMLElement, direction: Direction): void {
  const column = from.closest<HTMLElement>('[data-column]') ?? place
  const own = tasksIn(column)
  const row = own.indexOf(from)
  if (direction === 'up' || direction === 'down') {
    own[row + (direction === 'down' ? 1 : -1)]?.focus()
    return
  }
  const columns = [...place.querySelectorAll<HTMLElement>('[data-column]')].filter((one) => tasksIn(one).length > 0)
  const next = columns[columns.indexOf(column) + (direction === 'right' ? 1 : -1)]
  const tasks = next ? tasksIn(next) : []
  tasks[Math.min(row, tasks.length - 1)]?.focus()
}

function tasksIn(place: HTMLElement): HTMLElement[] {
  return [...place.querySelectorAll<HTMLElement>('[data-task]')]
}
