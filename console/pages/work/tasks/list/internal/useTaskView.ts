import { useState } from 'react'
import { t } from '../../../../../texts/texts.ts'
import { word } from '../../../../../texts/words.ts'
import type { PlanPart } from '../../internal/PlanDialog.tsx'
import { STEP_WORDS, type Step, stateAfter, stepTo, type Task, type TaskState } from '../../internal/taskItem.ts'
import { isPlain, useTaskChanges } from '../../internal/useTaskChanges.ts'

/** The dialog of the page that is open. */
export type OpenDialog =
  | { kind: 'new' }
  | { kind: 'plan'; part: PlanPart; tasks: readonly Task[] }
  | { kind: 'step'; step: Step; task: Task }

/**
 * Where a task is put: in a state, and directly below another one, or on top with null. Without `after` it
 * keeps its place.
 */
export interface Place {
  state: TaskState
  after?: string | null | undefined
}

/**
 * What a person does with the tasks of a page: those that they have chosen, the dialog that is open, and what
 * is done to tasks.
 */
export function useTaskView(org: string, tasks: readonly Task[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<string>()
  const [dialog, setDialog] = useState<OpenDialog>()
  const [said, say] = useState('')
  const changes = useTaskChanges(org)
  const inList = tasks.filter(({ id }) => selected.has(id))
  const chosen = inList.length > 0 ? inList : tasks.filter(({ id }) => id === focused)

  const toggle = (id: string) =>
    setSelected((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  const clear = () => {
    setSelected(new Set())
    setFocused(undefined)
  }

  /** Takes a step with one task or several: those that do not allow it are left out. */
  const takeStep = async (step: Step, those: readonly Task[]) => {
    const allowing = those.filter(({ may }) => may.includes(step))
    const [task] = allowing
    if (!task) return
    if (!isPlain(step)) {
      setDialog({ kind: 'step', step, task })
      return
    }
    const ids = new Set(allowing.map(({ id }) => id))
    const state = stateAfter(step)
    const expected = (all: Task[]) => all.map((one) => (state && ids.has(one.id) ? { ...one, state, may: [] } : one))
    const isDone = await changes.run(
      allowing.map((one) => ({ task: one, step })),
      expected,
    )
    if (!isDone) return
    const what =
      allowing.length === 1
        ? task.title
        : t('{count, plural, one {# task} other {# tasks}}', { count: allowing.length })
    say(`${t(STEP_WORDS[step])}: ${what}`)
  }

  /** Brings a task to a place, if the service allows the step that leads there. */
  const put = async (task: Task, { state, after }: Place) => {
    const step = state === task.state ? undefined : stepTo(task, state)
    if (state !== task.state && step === undefined) {
      say(t('{title} cannot become {state} now.', { title: task.title, state: word(state) }))
      return
    }
    if (step && !isPlain(step)) {
      setDialog({ kind: 'step', step, task })
      return
    }
    const expected = (all: Task[]) => placed(all, task, { state, after })
    const plan = after !== undefined && task.may.includes('plan') ? { after } : undefined
    if (await changes.run([{ task, step, plan }], expected))
      say(t('{title}: moved, {state}', { title: task.title, state: word(state) }))
  }

  return {
    ...{ selected, chosen, dialog, said, changes },
    ...{ toggle, clear, takeStep, put, say, setFocused, setDialog },
  }
}

export type TaskView = ReturnType<typeof useTaskView>

/** Returns the tasks with one of them at another place. */
function placed(all: readonly Task[], task: Task, { state, after }: Place): Task[] {
  // What may be done with it next, the service says.
  const moved = { ...task, state, may: state === task.state ? task.may : [] }
  if (after === undefined) return all.map((one) => (one.id === task.id ? moved : one))
  const others = all.filter(({ id }) => id !== task.id)
  const place = after === null ? 0 : others.findIndex(({ id }) => id === after) + 1
  return [...others.slice(0, place), moved, ...others.slice(place)]
}
