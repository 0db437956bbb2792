import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { market } from '../../../../data/market.ts'
import type { Plan, Step, Task } from './taskItem.ts'

/** A step that needs no more words. */
export type PlainStep = Exclude<Step, 'submit' | 'reject' | 'offer' | 'update'>

/** What is done to a task: a step, then a change of its plan or its place. */
export interface TaskChange {
  task: Pick<Task, 'id' | 'title'>
  step?: PlainStep | undefined
  plan?: Plan | undefined
}

/** A change that was refused. */
export interface Failure {
  task: TaskChange['task']
  error: unknown
}

const CHANGED = ['listTasks', 'getTask']

/** Whether a step can be taken at once. The others ask for words or a price first. */
export function isPlain(step: Step): step is PlainStep {
  return !['submit', 'reject', 'offer', 'update'].includes(step)
}

/**
 * Returns what changes tasks, one after another; the changes that were refused the last time; and whether it
 * is at work. `expected` is what the lists will be: they show that meanwhile, and afterwards what the service
 * says.
 */
export function useTaskChanges(org: string) {
  const client = useQueryClient()
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const [isBusy, setBusy] = useState(false)
  const run = async (changes: readonly TaskChange[], expected?: (tasks: Task[]) => Task[]) => {
    setBusy(true)
    setFailures([])
    await client.cancelQueries({ queryKey: ['listTasks'] })
    if (expected) client.setQueriesData<Task[]>({ queryKey: ['listTasks'] }, (tasks) => tasks && expected(tasks))
    const refused: Failure[] = []
    for (const change of changes) {
      await apply(org, change).catch((error: unknown) => refused.push({ task: change.task, error }))
    }
    setFailures(refused)
    await Promise.all(CHANGED.map((name) => client.invalidateQueries({ queryKey: [name] })))
    setBusy(false)
    return refused.length === 0
  }
  return { run, failures, isBusy }
}

async function apply(org: string, { task, step, plan }: TaskChange): Promise<void> {
  const params = { org, ref: task.id }
  if (step) await take(params, step)
  if (plan) await market.call('updateTask', { params, body: plan })
}

async function take(params: { org: string; ref: string }, step: PlainStep): Promise<void> {
  switch (step) {
    case 'claim':
    case 'renew':
      await market.call('claimTask', { params, body: {} })
      return
    case 'release':
      await market.call('releaseTask', { params })
      return
    case 'approve':
      await market.call('approveTask', { params })
      return
    case 'refile':
      await market.call('refileTask', { params })
      return
    case 'archive':
      await market.call('archiveTask', { params })
      return
    case 'withdraw_offer':
      await market.call('withdrawTaskOffer', { params })
  }
}
