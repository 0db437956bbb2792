import type { Body } from '../../../data/queries.ts'

type Task = Body<'getTask'>

/** A step that a member takes with a task. */
export type Step =
  | 'claim'
  | 'renew'
  | 'release'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'refile'
  | 'archive'
  | 'offer'
  | 'withdraw'
  | 'edit'

const STEPS: Record<Task['state'], readonly Step[]> = {
  open: ['claim', 'offer', 'edit', 'archive'],
  offered: ['withdraw'],
  claimed: ['submit', 'renew', 'release', 'edit'],
  submitted: ['approve', 'reject', 'edit'],
  rejected: ['submit', 'refile', 'edit', 'archive'],
  approved: ['refile', 'archive'],
  archived: ['refile'],
}

/** Who looks at a task. */
interface Viewer {
  id: string
  isManager: boolean
}

/**
 * Returns what somebody can do with a task: what the service would let them, first what comes next. A task that an order runs
 * for goes where its order goes.
 */
export function stepsOf(task: Task, { id, isManager }: Viewer): Step[] {
  const runsByOrder = task.order_urn !== null && !['approved', 'open', 'archived'].includes(task.state)
  if (runsByOrder) return []
  const isClaimant = task.claimed_by?.endsWith(id) ?? false
  const isAuthor = task.created_by.endsWith(id)
  return STEPS[task.state].filter((step) => {
    if (step === 'renew') return isClaimant
    if (step === 'submit') return isClaimant || task.claimed_by === null
    if (step === 'release') return isClaimant || isAuthor || isManager
    return step === 'approve' || step === 'reject' ? !isClaimant : true
  })
}
