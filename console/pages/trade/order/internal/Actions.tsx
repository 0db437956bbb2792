import { useState } from 'react'
import { useChange } from '../../../../data/queries.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { Dispute } from '../Dispute.tsx'
import { Cancel } from '../outcome/Cancel.tsx'
import { Propose } from '../outcome/Propose.tsx'
import { Pay } from '../payment/Pay.tsx'
import { SettleOnChain } from '../payment/SettleOnChain.tsx'
import type { OrderBody, Viewer } from '../record/order.ts'
import { STEP, threadOf } from '../record/step.ts'
import { Accept } from '../work/Accept.tsx'
import { Deliver } from '../work/Deliver.tsx'
import { Reject } from '../work/Reject.tsx'
import styles from './Actions.module.css'
import { Rate } from './Rate.tsx'
import { expectedStep, type Step, stepsOf } from './steps.ts'

const DIALOGS = {
  pay: Pay,
  deliver: Deliver,
  accept: Accept,
  reject: Reject,
  dispute: Dispute,
  cancel: Cancel,
  propose: Propose,
  rate: Rate,
  out: SettleOnChain,
} satisfies Record<Exclude<Step, 'start'>, unknown>
const TITLES: Record<Step, Message> = {
  pay: msg('Pay…'),
  start: msg('Start the work'),
  deliver: msg('Deliver…'),
  accept: msg('Accept…'),
  reject: msg('Reject…'),
  dispute: msg('Dispute…'),
  cancel: msg('Cancel…'),
  propose: msg('Propose…'),
  rate: msg('Rate…'),
  out: msg('Settle on-chain…'),
}

const KEYS: Partial<Record<Step, string>> = { accept: 'a', reject: 'r', dispute: 'd' }

/** What pays, what ends the work or contests it, and the rest stand apart from each other. */
const PAYING: readonly Step[] = ['pay', 'accept']
const CONTESTING: readonly Step[] = ['reject', 'dispute', 'cancel', 'out']
const SETS = { payment: msg('Payment'), work: msg('Work'), end: msg('Rejection and end') } as const
type SetName = keyof typeof SETS

function setOf(step: Step): SetName {
  if (PAYING.includes(step)) return 'payment'
  return CONTESTING.includes(step) ? 'end' : 'work'
}

/** The steps that this side can take now. */
export function Actions({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  const [open, setOpen] = useState<keyof typeof DIALOGS>()
  const start = useChange('postMessage', STEP)
  const expected = expectedStep(order)
  const sets = Map.groupBy(stepsOf(order), setOf)
  const take = (step: Step) => {
    if (step !== 'start') return setOpen(step)
    const thread_urn = threadOf(order)
    return start.mutate({ body: { thread_urn, kind: 'work_started', payload: {} }, agent: viewer.agent })
  }
  const Opened = open ? DIALOGS[open] : undefined
  return (
    <>
      {(Object.keys(SETS) as SetName[])
        .filter((set) => sets.has(set))
        .map((set) => (
          <fieldset key={set} aria-label={t(SETS[set])} className={`row ${styles.set}`}>
            {sets.get(set)?.map((step) => (
              <Button
                key={step}
                kind={step === expected ? 'primary' : undefined}
                data-key={KEYS[step]}
                data-asks={step !== 'start'}
                busy={step === 'start' && start.isPending}
                onClick={() => take(step)}
              >
                {t(TITLES[step])}
              </Button>
            ))}
          </fieldset>
        ))}
      <Problem error={start.error} />
      {Opened ? <Opened order={order} viewer={viewer} onClose={() => setOpen(undefined)} /> : null}
    </>
  )
}
