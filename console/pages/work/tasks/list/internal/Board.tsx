import { type DragEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Person } from '../../../../../data/org.ts'
import { pathTo } from '../../../../../routing/paths.ts'
import { t } from '../../../../../texts/texts.ts'
import { word } from '../../../../../texts/words.ts'
import { State } from '../../../../../ui/values/State.tsx'
import { Doer, Due, Labels, PriorityMark } from '../../internal/TaskMarks.tsx'
import { STATES, stepTo, type Task, type TaskState } from '../../internal/taskItem.ts'
import styles from './Board.module.css'
import { type Direction, onTaskKey } from './taskKeys.ts'
import type { TaskView } from './useTaskView.ts'

interface Props {
  org: string
  tasks: readonly Task[]
  view: TaskView
  people: readonly Person[]
  nameOf: (account: string) => string
}

/** Where the task that is dragged would go: into a column, before the card with this number. */
interface Goal {
  state: TaskState
  before: number
}

const COLUMNS: readonly TaskState[] = STATES.filter((state) => state !== 'archived')

/**
 * Tasks in columns, one for each state. A task is dragged into a state that the service allows now, or up and
 * down in its own. Arrows go along the board, Shift and an arrow moves the task that has the focus.
 */
export function Board({ tasks, view, ...props }: Props) {
  const [dragged, setDragged] = useState<Task>()
  const [goal, setGoal] = useState<Goal>()
  const inState = (state: TaskState) => tasks.filter((task) => task.state === state)
  const end = () => {
    setDragged(undefined)
    setGoal(undefined)
  }
  const drop = () => {
    if (dragged && goal) void view.put(dragged, placeOf(inState(goal.state), dragged, goal))
    end()
  }
  const move = (id: string, direction: Direction) => {
    const task = tasks.find((one) => one.id === id)
    if (task) moveBy(task, direction, inState(task.state), view)
  }
  return (
    <section
      aria-label={t('Board')}
      className={styles.board}
      onKeyDown={(event) => onTaskKey(event, { move, toggle: view.toggle, clear: view.clear })}
    >
      {COLUMNS.map((state) => (
        <Column
          key={state}
          {...{ ...props, view, state, dragged }}
          tasks={inState(state)}
          goal={goal?.state === state ? goal : undefined}
          onGoal={setGoal}
          onDrag={setDragged}
          onDrop={drop}
          onEnd={end}
        />
      ))}
    </section>
  )
}

interface ColumnProps extends Props {
  state: TaskState
  dragged: Task | undefined
  goal: Goal | undefined
  onGoal: (goal: Goal | undefined) => void
  onDrag: (task: Task) => void
  onDrop: () => void
  onEnd: () => void
}

function Column({ state, tasks, dragged, goal, onGoal, onDrag, onDrop, onEnd, ...props }: ColumnProps) {
  const takes = dragged !== undefined && (dragged.state === state || stepTo(dragged, state) !== undefined)
  const over = (event: DragEvent<HTMLElement>) => {
    if (!takes) return
    event.preventDefault()
    const before = rowAt(event)
    if (goal?.before !== before) onGoal({ state, before })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be moved by keys too.
    <div
      className={styles.column}
      data-column={state}
      data-empty={tasks.length === 0 || undefined}
      data-takes={dragged === undefined ? undefined : takes}
      onDragOver={over}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) onGoal(undefined)
      }}
      onDrop={(event) => {
        event.preventDefault()
        onDrop()
      }}
    >
      <h2 className={styles.head}>
        <State name={state} /> <span className={styles.count}>{tasks.length}</span>
      </h2>
      <ul className={`plain ${styles.cards}`}>
        {tasks.map((task, row) => (
          <Card
            key={task.id}
            {...props}
            task={task}
            isDragged={dragged?.id === task.id}
            isGoal={goal?.before === row}
            onDrag={onDrag}
            onEnd={onEnd}
          />
        ))}
        {goal && goal.before >= tasks.length ? <li className={styles.line} aria-hidden="true" /> : null}
      </ul>
    </div>
  )
}

interface CardProps extends Omit<Props, 'tasks'> {
  task: Task
  isDragged: boolean
  isGoal: boolean
  onDrag: (task: Task) => void
  onEnd: () => void
}

function Card({ org, task, view, people, nameOf, isDragged, isGoal, onDrag, onEnd }: CardProps) {
  return (
    <li
      className={styles.card}
      data-card
      data-dragged={isDragged || undefined}
      data-goal={isGoal || undefined}
      data-selected={view.selected.has(task.id) || undefined}
      draggable
      onDragStart={({ dataTransfer }) => {
        dataTransfer.effectAllowed = 'move'
        dataTransfer.setData('text/plain', task.title)
        onDrag(task)
      }}
      onDragEnd={onEnd}
    >
      <div className={styles.top}>
        <Link
          href={pathTo('task', { org, ref: task.short_id })}
          draggable={false}
          data-task={task.id}
          onFocus={() => view.setFocused(task.id)}
        >
          {task.title}
        </Link>
        <input
          type="checkbox"
          aria-label={t('Select {title}', { title: task.title })}
          checked={view.selected.has(task.id)}
          onChange={() => view.toggle(task.id)}
        />
      </div>
      <Labels labels={task.labels} />
      <div className={styles.foot}>
        {task.priority === 'none' ? null : <PriorityMark priority={task.priority} />}
        <Due task={task} />
        <Doer task={task} people={people} nameOf={nameOf} isShort />
      </div>
    </li>
  )
}

/** Returns before which card of a column a pointer is: below the last one it is their number. */
function rowAt({ currentTarget, clientY }: DragEvent<HTMLElement>): number {
  const cards = [...currentTarget.querySelectorAll('[data-card]')]
  const row = cards.findIndex((card) => {
    const { top, height } = card.getBoundingClientRect()
    return clientY < top + height / 2
  })
  return row === -1 ? cards.length : row
}

/** Returns the place of a task that is dropped in a column: directly below the card above it. */
function placeOf(column: readonly Task[], dragged: Task, { state, before }: Goal) {
  const above = column.slice(0, before).filter(({ id }) => id !== dragged.id)
  return { state, after: above.at(-1)?.id ?? null }
}

/** Moves a task in its column, or into the next column that takes it. */
function moveBy(task: Task, direction: Direction, column: readonly Task[], view: TaskView): void {
  const { state } = task
  const row = column.findIndex(({ id }) => id === task.id)
  if (direction === 'up' || direction === 'down') {
    const below = column[row + 1]
    if (direction === 'up' && row > 0) void view.put(task, { state, after: column[row - 2]?.id ?? null })
    if (direction === 'down' && below) void view.put(task, { state, after: below.id })
    return
  }
  const own = COLUMNS.indexOf(state)
  const beside = direction === 'right' ? COLUMNS.slice(own + 1) : COLUMNS.slice(0, own).reverse()
  const next = beside.find((one) => stepTo(task, one) !== undefined)
  if (next) void view.put(task, { state: next })
  else
    view.say(
      t(
        '{direction, select, left {{title} cannot be moved to the left: it is {state}.} other {{title} cannot be moved to the right: it is {state}.}}',
        { direction, title: task.title, state: word(state) },
      ),
    )
}
