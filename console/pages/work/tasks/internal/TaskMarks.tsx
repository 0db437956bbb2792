import type { Person } from '../../../../data/org.ts'
import { t } from '../../../../texts/texts.ts'
import { Avatar } from '../../../../ui/pictures/Avatar.tsx'
import { dateText } from '../../../../ui/values/format.ts'
import styles from '../Tasks.module.css'
import { isOverdue, PRIORITY_WORDS, type Priority, type Task } from './taskItem.ts'

const BARS: Record<Priority, number> = { urgent: 4, high: 3, medium: 2, low: 1, none: 0 }

/** How urgent a task is, as bars: empty, and as wide, for a task without a priority. */
export function PriorityMark({ priority }: { priority: Priority }) {
  if (priority === 'none') return <span className={styles.priority} />
  const title = t(PRIORITY_WORDS[priority])
  return (
    <span className={styles.priority} data-priority={priority} title={title}>
      <svg viewBox="0 0 14 12" width="14" height="12" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={bar * 4 - 3}
            y={12 - bar * 4}
            width="3"
            height={bar * 4}
            opacity={bar <= BARS[priority] ? 1 : 0.25}
          />
        ))}
      </svg>
      <span className="hidden">{title}</span>
    </span>
  )
}

/** The labels of a task. */
export function Labels({ labels }: Pick<Task, 'labels'>) {
  if (labels.length === 0) return null
  return (
    <ul className={`plain ${styles.labels}`} aria-label={t('Labels')}>
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  )
}

/** The day by which a task is due. */
export function Due({ task }: { task: Task }) {
  if (task.due_on === null) return null
  const isLate = isOverdue(task)
  return (
    <time dateTime={task.due_on} className={isLate ? styles.late : 'muted'}>
      {isLate ? t('overdue {day}', { day: dateText(task.due_on) }) : t('due {day}', { day: dateText(task.due_on) })}
    </time>
  )
}

interface DoerProps {
  task: Task
  people: readonly Person[]
  nameOf: (account: string) => string
  /** Whether the avatar stands alone, with the name for screen readers. */
  isShort?: boolean
}

/** Who does a task, or is to do it. */
export function Doer({ task, people, nameOf, isShort = false }: DoerProps) {
  const account = task.claimed_by ?? task.assignee
  if (account === null) return null
  const name = nameOf(account)
  const words = task.claimed_by === null ? t('assigned to {name}', { name }) : t('done by {name}', { name })
  return (
    <span className={styles.doer} title={words}>
      <Avatar
        id={account.split(':').at(-1) ?? account}
        name={people.find(({ urn }) => urn === account)?.name ?? name}
      />
      <span className={isShort ? 'hidden' : undefined}>{isShort ? words : name}</span>
    </span>
  )
}
