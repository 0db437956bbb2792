import { Link } from 'wouter'
import type { Person } from '../../../../../data/org.ts'
import { pathTo } from '../../../../../routing/paths.ts'
import { t } from '../../../../../texts/texts.ts'
import { Table } from '../../../../../ui/layout/Table.tsx'
import { relativeText, timeText } from '../../../../../ui/values/format.ts'
import { State } from '../../../../../ui/values/State.tsx'
import { Doer, Due, Labels, PriorityMark } from '../../internal/TaskMarks.tsx'
import type { Task } from '../../internal/taskItem.ts'
import styles from '../../Tasks.module.css'
import { onTaskKey } from './taskKeys.ts'
import type { TaskView } from './useTaskView.ts'

interface Props {
  org: string
  tasks: readonly Task[]
  view: TaskView
  people: readonly Person[]
  nameOf: (account: string) => string
  /** Whether the list has the order of the board, so that a task can be moved in it. */
  isOrdered: boolean
}

/** Tasks as a list. Arrows go along it, Shift and an arrow moves a task. */
export function TaskTable({ org, tasks, view, people, nameOf, isOrdered }: Props) {
  const move = (id: string, direction: string) => {
    const place = tasks.findIndex((task) => task.id === id)
    const task = tasks[place]
    if (!task || !isOrdered) return
    if (direction === 'up' && place > 0) void view.put(task, { state: task.state, after: tasks[place - 2]?.id ?? null })
    const below = tasks[place + 1]
    if (direction === 'down' && below) void view.put(task, { state: task.state, after: below.id })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links in it.
    <div
      className={styles.table}
      onKeyDown={(event) => onTaskKey(event, { move, toggle: view.toggle, clear: view.clear })}
    >
      <Table
        caption={t('Tasks')}
        rows={tasks}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          { title: t('Task'), cell: (task) => <TaskCell org={org} task={task} view={view} /> },
          { title: t('State'), cell: ({ state }) => <State name={state} /> },
          { title: t('Who'), cell: (task) => <Doer task={task} people={people} nameOf={nameOf} /> },
          { title: t('Due'), cell: (task) => <Due task={task} /> },
          { title: t('Changed'), cell: ({ updated_at }) => <Changed at={updated_at} /> },
        ]}
      />
    </div>
  )
}

function TaskCell({ org, task, view }: Pick<Props, 'org' | 'view'> & { task: Task }) {
  return (
    <div className={styles.cell}>
      <input
        type="checkbox"
        aria-label={t('Select {title}', { title: task.title })}
        checked={view.selected.has(task.id)}
        onChange={() => view.toggle(task.id)}
      />
      <PriorityMark priority={task.priority} />
      <div className={styles.title}>
        <Link
          href={pathTo('task', { org, ref: task.short_id })}
          data-task={task.id}
          onFocus={() => view.setFocused(task.id)}
        >
          {task.title}
        </Link>
        <Labels labels={task.labels} />
      </div>
    </div>
  )
}

function Changed({ at }: { at: string }) {
  return (
    <time dateTime={at} title={timeText(at)} className="muted">
      {relativeText(at)}
    </time>
  )
}
