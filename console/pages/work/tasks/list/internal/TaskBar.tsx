import { type Message, msg, t } from '../../../../../texts/texts.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import type { PlanPart } from '../../internal/PlanDialog.tsx'
import { STEP_WORDS, type Step, stepsOf, type Task } from '../../internal/taskItem.ts'
import { isPlain } from '../../internal/useTaskChanges.ts'
import styles from '../../Tasks.module.css'
import type { TaskView } from './useTaskView.ts'

const PARTS: readonly (readonly [part: PlanPart, title: Message, key: string])[] = [
  ['assignee', msg('Assign'), 'a'],
  ['labels', msg('Label'), 'l'],
  ['priority', msg('Priority'), 'p'],
  ['due_on', msg('Due'), 'd'],
]

/**
 * What can be done with the tasks that are selected, or with the one that has the focus. The shell presses
 * its keys.
 */
export function TaskBar({ view, shown }: { view: TaskView; shown: readonly Task[] }) {
  const { chosen, changes } = view
  const [task] = chosen
  if (!task) return null
  const isOne = chosen.length === 1
  const words = isOne ? task.title : t('{count, plural, one {# task} other {# tasks}}', { count: chosen.length })
  const mayPlan = chosen.filter(({ may }) => may.includes('plan'))
  const steps = stepsFor(chosen)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('For {tasks}', { tasks: words })}>
      <strong className={styles.what}>
        {view.selected.size > 0 ? t('{count} selected', { count: chosen.length }) : words}
      </strong>
      {PARTS.map(([part, title, key]) => (
        <Button
          key={part}
          data-key={key}
          data-asks="true"
          aria-keyshortcuts={key}
          busy={changes.isBusy}
          disabled={mayPlan.length === 0}
          onClick={() => view.setDialog({ kind: 'plan', part, tasks: mayPlan })}
        >
          {t(title)}{' '}
          <span aria-hidden="true" className={styles.key}>
            {key}
          </span>
        </Button>
      ))}
      {steps.length === 0 ? null : (
        <select
          aria-label={t('Next step')}
          value=""
          disabled={changes.isBusy}
          onChange={({ target }) => void view.takeStep(target.value as Step, chosen)}
        >
          <option value="">{t('Next step …')}</option>
          {steps.map(([step, count]) => (
            <option key={step} value={step}>
              {isOne
                ? t(STEP_WORDS[step])
                : t('{step} ({count} of {all})', { step: t(STEP_WORDS[step]), count, all: chosen.length })}
            </option>
          ))}
        </select>
      )}
      {isOne ? <Movers task={task} view={view} shown={shown} /> : null}
      <Button kind="quiet" aria-label={t('Clear the selection')} onClick={view.clear}>
        ✕
      </Button>
    </div>
  )
}

/** Moves a task up or down among those of its state, for people who do not drag. */
function Movers({ task, view, shown }: { task: Task; view: TaskView; shown: readonly Task[] }) {
  const beside = shown.filter(({ state }) => state === task.state)
  const place = beside.findIndex(({ id }) => id === task.id)
  const below = beside[place + 1]
  const put = (after: string | null) => void view.put(task, { state: task.state, after })
  return (
    <>
      <Button aria-label={t('Move up')} disabled={place < 1} onClick={() => put(beside[place - 2]?.id ?? null)}>
        ↑
      </Button>
      <Button aria-label={t('Move down')} disabled={!below} onClick={() => below && put(below.id)}>
        ↓
      </Button>
    </>
  )
}

/**
 * Returns the steps that some of the tasks allow, and how many do. Several tasks take only steps that ask for
 * nothing.
 */
function stepsFor(tasks: readonly Task[]): [Step, number][] {
  const counts = new Map<Step, number>()
  for (const step of tasks.flatMap(stepsOf)) counts.set(step, (counts.get(step) ?? 0) + 1)
  return [...counts].filter(([step]) => tasks.length === 1 || isPlain(step))
}
