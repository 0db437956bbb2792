import { usePeople } from '../../../../data/org.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { typed } from '../../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../../ui/forms/FormDialog.tsx'
import styles from '../Tasks.module.css'
import { type Plan, PRIORITIES, PRIORITY_WORDS, type Task } from './taskItem.ts'
import type { TaskChange } from './useTaskChanges.ts'

/** A part of a plan that a dialog changes. */
export type PlanPart = 'assignee' | 'labels' | 'priority' | 'due_on'

interface Props {
  org: string
  part: PlanPart
  /** The tasks whose plan changes, one or several. */
  tasks: readonly Task[]
  /** The labels that others have. */
  labels: readonly string[]
  run: (changes: readonly TaskChange[]) => Promise<unknown>
  onClose: () => void
}

const TITLES: Record<PlanPart, Message> = {
  assignee: msg('{count, plural, =1 {Assign “{title}”} other {Assign # tasks}}'),
  labels: msg('{count, plural, =1 {Label “{title}”} other {Label # tasks}}'),
  priority: msg('{count, plural, =1 {Set the priority of “{title}”} other {Set the priority of # tasks}}'),
  due_on: msg('{count, plural, =1 {Set the due day of “{title}”} other {Set the due day of # tasks}}'),
}

/** Changes one part of the plan of tasks. */
export function PlanDialog({ org, part, tasks, labels, run, onClose }: Props) {
  const [first] = tasks
  if (!first) return null
  const known = [...new Set([...labels, ...tasks.flatMap((task) => task.labels)])].sort((a, b) => a.localeCompare(b))
  const onSubmit = async (form: FormData) => {
    await run(tasks.map((task) => ({ task, plan: planIn(form, part, task, tasks) })))
  }
  return (
    <FormDialog
      title={t(TITLES[part], { count: tasks.length, title: first.title })}
      submit={t('Save')}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      {part === 'assignee' ? <AssigneeField org={org} value={common(tasks, 'assignee')} /> : null}
      {part === 'priority' ? <PriorityField value={common(tasks, 'priority')} /> : null}
      {part === 'due_on' ? <DueField value={common(tasks, 'due_on')} /> : null}
      {part === 'labels' ? <LabelChoices known={known} tasks={tasks} /> : null}
    </FormDialog>
  )
}

/** Chooses who is to do a task. Its name in a form is `assignee`. */
export function AssigneeField({ org, value }: { org: string; value?: string | null | undefined }) {
  const { people, nameOf } = usePeople(org)
  return (
    <Field label={t('Assignee')} name="assignee">
      {(props) => (
        <select {...props} key={people.length} defaultValue={value ?? ''}>
          <option value="">{t('Nobody')}</option>
          {people.map(({ urn }) => (
            <option key={urn} value={urn}>
              {nameOf(urn)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Chooses how urgent a task is. Its name in a form is `priority`. */
export function PriorityField({ value }: { value?: Task['priority'] | undefined }) {
  return (
    <Field label={t('Priority')} name="priority">
      {(props) => (
        <select {...props} defaultValue={value ?? 'none'}>
          {PRIORITIES.map((priority) => (
            <option key={priority} value={priority}>
              {t(PRIORITY_WORDS[priority])}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Chooses the day by which a task is due. Its name in a form is `due_on`. */
export function DueField({ value }: { value?: string | null | undefined }) {
  return (
    <Field label={t('Due day')} name="due_on">
      {(props) => <input {...props} type="date" defaultValue={value ?? ''} />}
    </Field>
  )
}

/** Names the labels of a task in a text. Its name in a form is `labels`. */
export function LabelsField({ label = t('Labels') }: { label?: string }) {
  return (
    <Field label={label} name="labels" hint={t('With commas between.')}>
      {(props) => <input {...props} autoComplete="off" />}
    </Field>
  )
}

function LabelChoices({ known, tasks }: { known: readonly string[]; tasks: readonly Task[] }) {
  return (
    <>
      {known.length === 0 ? null : (
        <fieldset className={styles.choose}>
          <legend>{t('Labels')}</legend>
          {known.map((label) => (
            <label key={label} className="choice">
              <input type="checkbox" name="has" value={label} defaultChecked={haveAll(tasks, label)} />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <LabelsField label={t('New labels')} />
    </>
  )
}

/** Returns the value of a field that all tasks share. */
function common<Name extends PlanPart>(tasks: readonly Task[], name: Name): Task[Name] | undefined {
  const [first] = tasks
  return first && tasks.every((task) => task[name] === first[name]) ? first[name] : undefined
}

function haveAll(tasks: readonly Task[], label: string): boolean {
  return tasks.every(({ labels }) => labels.includes(label))
}

function planIn(form: FormData, part: PlanPart, task: Task, tasks: readonly Task[]): Plan {
  if (part === 'assignee') return { assignee: typed(form, 'assignee') || null }
  if (part === 'priority') return { priority: typed(form, 'priority') as Task['priority'] }
  if (part === 'due_on') return { due_on: typed(form, 'due_on') || null }
  // A label that only some of the tasks have stays where it is, unless it is chosen for all.
  const chosen = form.getAll('has').map(String)
  const kept = task.labels.filter((label) => chosen.includes(label) || !haveAll(tasks, label))
  return { labels: [...new Set([...kept, ...chosen, ...labelsIn(form)])] }
}

/** Returns the labels that somebody typed in a form. */
export function labelsIn(form: FormData): string[] {
  const labels = typed(form, 'labels').split(',')
  return labels.map((label) => label.trim()).filter((label) => label !== '')
}
