import { useState } from 'react'
import type { OperationName } from '../../../../../../sdk/market.ts'
import { type Body, useChange } from '../../../../../data/queries.ts'
import { t } from '../../../../../texts/texts.ts'
import { Button } from '../../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../../ui/forms/Problem.tsx'
import { type AskingStep, TaskDialog } from '../../internal/TaskDialog.tsx'
import { STEP_WORDS, type Step, stepsOf } from '../../internal/taskItem.ts'

type Task = Body<'getTask'>
const CHANGES = ['getTask', 'listTasks'] as const satisfies OperationName[]

/** What the service lets the person do with a task, the likely next step first. */
export function TaskSteps({ org, task }: { org: string; task: Task }) {
  const [dialog, setDialog] = useState<AskingStep>()
  const claim = useChange('claimTask', CHANGES)
  const release = useChange('releaseTask', CHANGES)
  const approve = useChange('approveTask', CHANGES)
  const refile = useChange('refileTask', CHANGES)
  const archive = useChange('archiveTask', CHANGES)
  const withdraw = useChange('withdrawTaskOffer', CHANGES)
  const params = { org, ref: task.id }
  const take: Record<Step, () => void> = {
    submit: () => setDialog('submit'),
    reject: () => setDialog('reject'),
    offer: () => setDialog('offer'),
    update: () => setDialog('update'),
    claim: () => claim.mutate({ params, body: {} }),
    renew: () => claim.mutate({ params, body: {} }),
    release: () => release.mutate({ params }),
    approve: () => approve.mutate({ params }),
    refile: () => refile.mutate({ params }),
    archive: () => archive.mutate({ params }),
    withdraw_offer: () => withdraw.mutate({ params }),
  }
  const all = [claim, release, approve, refile, archive, withdraw]
  const steps = stepsOf(task)
  return (
    <>
      {steps.map((step, index) => (
        <Button
          key={step}
          {...(index === 0 ? { kind: 'primary' as const } : {})}
          busy={all.some(({ isPending }) => isPending)}
          onClick={take[step]}
        >
          {t(STEP_WORDS[step])}
        </Button>
      ))}
      {steps.length === 0 && task.order_urn ? <p className="muted">{t('Its state follows its order.')}</p> : null}
      <Problem error={all.find(({ error }) => error)?.error} />
      {dialog ? <TaskDialog org={org} task={task} step={dialog} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}
