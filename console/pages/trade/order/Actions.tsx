import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { useChange } from '../../../data/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Cancel } from './Cancel.tsx'
import { Deliver } from './Deliver.tsx'
import { Dispute } from './Dispute.tsx'
import type { OrderBody, Viewer } from './Order.tsx'
import { Pay } from './Pay.tsx'
import { Propose } from './Propose.tsx'
import { Rate } from './Rate.tsx'
import { Reject } from './Reject.tsx'
import { SettleOnChain } from './SettleOnChain.tsx'
import { NOTHING, STEP, threadOf } from './step.ts'
import { useOutcome } from './useOutcome.tsx'

const DIALOGS = {
  pay: Pay,
  deliver: Deliver,
  reject: Reject,
  dispute: Dispute,
  cancel: Cancel,
  propose: Propose,
  rate: Rate,
  out: SettleOnChain,
}
type Step = keyof typeof DIALOGS | 'accept' | 'start'
const TITLES: Record<Step, string> = {
  pay: 'Pay…',
  start: 'Start the work',
  deliver: 'Deliver…',
  accept: 'Accept the delivery',
  reject: 'Reject…',
  dispute: 'Dispute…',
  cancel: 'Cancel…',
  propose: 'Propose…',
  rate: 'Rate…',
  out: 'Settle on-chain…',
}

const WRITTEN: readonly Step[] = ['start', 'deliver', 'propose']
const KEYS: Partial<Record<Step, string>> = { accept: 'a', reject: 'r', dispute: 'd' }
const SECONDARY: readonly Step[] = ['cancel', 'propose', 'out']

/** The dialog or button of each action that the service allows, the expected step first. */
const STEPS: readonly [OrderBody['may'][number], Step][] = [
  ['fund', 'pay'],
  ['start', 'start'],
  ['deliver', 'deliver'],
  ['dispute', 'dispute'],
  ['accept', 'accept'],
  ['reject', 'reject'],
  ['rate', 'rate'],
  ['cancel', 'cancel'],
  ['propose_scope_change', 'propose'],
  ['propose_cancellation', 'propose'],
  ['propose_remedy', 'propose'],
]

function stepsOf({ may, sealed, escrow_mode, hold }: OrderBody): Step[] {
  const allowed = new Set(STEPS.flatMap(([action, step]) => (may.includes(action) ? [step] : [])))
  // Settling on chain calls the contract, which the service does not decide on.
  if (escrow_mode === 'contract' && hold?.status === 'held') allowed.add('out')
  // Sealed messages are written with keys that no browser has.
  return [...allowed].filter((step) => !(sealed && WRITTEN.includes(step)))
}

/** The steps that this side can take now. */
export function Actions({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  const [open, setOpen] = useState<keyof typeof DIALOGS>()
  const start = useChange('postMessage', STEP)
  const outcome = useOutcome(viewer)
  const params = { urn: urnString('order', order.urn.body) }
  const acceptance = useChange('acceptOrder', STEP)
  const accept = useMutation({
    mutationFn: () =>
      outcome.decide(params.urn, NOTHING, () => acceptance.mutateAsync({ params, agent: viewer.agent })),
  })
  const steps = stepsOf(order)
  const take = (step: Step) => {
    if (step === 'accept') return accept.mutate()
    if (step !== 'start') return setOpen(step)
    const thread_urn = threadOf(order)
    return start.mutate({ body: { thread_urn, kind: 'work_started', payload: {} }, agent: viewer.agent })
  }
  const Opened = open ? DIALOGS[open] : undefined
  return (
    <>
      {steps.map((step, index) => (
        <Button
          key={step}
          kind={index === 0 && order.state !== 'disputed' && !SECONDARY.includes(step) ? 'primary' : undefined}
          data-key={KEYS[step]}
          data-asks={TITLES[step].endsWith('…')}
          busy={(step === 'accept' && accept.isPending) || (step === 'start' && start.isPending)}
          onClick={() => take(step)}
        >
          {TITLES[step]}
        </Button>
      ))}
      {outcome.asking}
      <Problem error={accept.error ?? start.error} />
      {Opened ? <Opened order={order} viewer={viewer} onClose={() => setOpen(undefined)} /> : null}
    </>
  )
}
