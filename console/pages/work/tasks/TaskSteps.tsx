import { useState } from 'react'
import type { OperationName } from '../../../../sdk/market.ts'
import { useMe } from '../../../data/me.ts'
import { useOrg } from '../../../data/org.ts'
import { type Body, useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { TaskDialog } from './TaskDialog.tsx'
import { type Step, stepsOf } from './taskSteps.ts'

const LABELS: Record<Step, string> = {
  claim: 'Claim',
  renew: 'Renew the claim',
  release: 'Release',
  submit: 'Hand in',
  approve: 'Approve',
  reject: 'Reject',
  refile: 'Open again',
  archive: 'Archive',
  offer: 'Offer on the market',
  withdraw: 'Take off the market',
  edit: 'Change',
}
const CHANGES = ['getTask', 'listTasks'] as const satisfies OperationName[]

/** What the person can do with a task, the likely next step first. */
export function TaskSteps({ org, task }: { org: string; task: Body<'getTask'> }) {
  const me = useMe()
  const { isManager } = useOrg(org)
  const [dialog, setDialog] = useState<Step>()
  const claim = useChange('claimTask', CHANGES)
  const release = useChange('releaseTask', CHANGES)
  const approve = useChange('approveTask', CHANGES)
  const refile = useChange('refileTask', CHANGES)
  const archive = useChange('archiveTask', CHANGES)
  const withdraw = useChange('withdrawTaskOffer', CHANGES)
  const params = { org, ref: task.id }
  const direct: Partial<Record<Step, () => void>> = {
    claim: () => claim.mutate({ params, body: {} }),
    renew: () => claim.mutate({ params, body: {} }),
    release: () => release.mutate({ params }),
    approve: () => approve.mutate({ params }),
    refile: () => refile.mutate({ params }),
    archive: () => archive.mutate({ params }),
    withdraw: () => withdraw.mutate({ params }),
  }
  const all = [claim, release, approve, refile, archive, withdraw]
  const steps = stepsOf(task, { id: me.urn.body, isManager })
  return (
    <>
      {steps.map((step, index) => (
        <Button
          key={step}
          {...(index === 0 ? { kind: 'primary' as const } : {})}
          busy={all.some(({ isPending }) => isPending)}
          onClick={() => (direct[step] ?? (() => setDialog(step)))()}
        >
          {LABELS[step]}
        </Button>
      ))}
      {steps.length === 0 ? <p className="muted">It goes where its order goes.</p> : null}
      <Problem error={all.find(({ error }) => error)?.error} />
      {dialog ? <TaskDialog org={org} task={task} step={dialog} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}
