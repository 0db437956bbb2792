import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { type Body, useChange } from '../../../../data/queries.ts'
import { t } from '../../../../texts/texts.ts'
import { Button } from '../../../../ui/forms/Button.tsx'
import { Problem } from '../../../../ui/forms/Problem.tsx'
import { useOutcome } from '../../order/outcome/useOutcome.tsx'
import type { Viewer } from '../../order/record/order.ts'
import { Appeal } from './Appeal.tsx'
import { AppealFile } from './AppealFile.tsx'
import { Respond } from './Respond.tsx'
import { StateAppeal } from './StateAppeal.tsx'
import { STEP } from './step.ts'
import { WaiveAppeal } from './WaiveAppeal.tsx'

interface Props {
  dispute: Body<'getDispute'>
  order: Body<'getOrder'>
  viewer: Viewer
}

/** The actions that the service allows the person on the dispute, its appeals and its order. */
export function DisputeSteps({ dispute, order: { may: orderMay }, viewer }: Props) {
  const [open, setOpen] = useState<keyof typeof STEPS>()
  const ready = useChange('declareReady', STEP)
  const cancel = useChange('cancelOrder', STEP)
  const outcome = useOutcome(viewer)
  const call = { params: { urn: urnString('dispute', dispute.urn.body) }, agent: viewer.agent }
  const { may } = dispute
  const appealMay = new Set(dispute.appeals.flatMap((appeal) => appeal.may))
  const order = { params: { urn: urnString('order', dispute.order_urn.body) }, agent: viewer.agent }
  const concede = useMutation({
    mutationFn: () =>
      outcome.decide(order.params.urn, 'all', () =>
        cancel.mutateAsync({ ...order, body: { reason_code: 'conceded' } }),
      ),
  })
  return (
    <>
      {may.includes('respond') ? (
        <Button kind="primary" onClick={() => setOpen('respond')}>
          {t('Respond…')}
        </Button>
      ) : null}
      {may.includes('declare_ready') ? (
        <Button busy={ready.isPending} onClick={() => ready.mutate(call)}>
          {t('I have nothing to add')}
        </Button>
      ) : null}
      {may.includes('appeal') || appealMay.has('fund') ? (
        <Button onClick={() => setOpen('appeal')}>{t('Appeal…')}</Button>
      ) : null}
      {may.includes('waive_appeal') ? (
        <Button onClick={() => setOpen('waive')}>{t('I will not appeal…')}</Button>
      ) : null}
      {appealMay.has('state') ? <Button onClick={() => setOpen('state')}>{t('On the appeal…')}</Button> : null}
      {appealMay.has('hand_in_file') ? (
        <Button onClick={() => setOpen('file')}>{t('A file for the appeal…')}</Button>
      ) : null}
      {orderMay.includes('cancel') ? (
        <Button kind="danger" busy={concede.isPending} onClick={() => concede.mutate()}>
          {t('Concede: the buyer gets the money back')}
        </Button>
      ) : null}
      {outcome.asking}
      <Problem error={ready.error ?? concede.error} />
      <Step open={open} dispute={dispute} viewer={viewer} onClose={() => setOpen(undefined)} />
    </>
  )
}

interface StepProps {
  open: keyof typeof STEPS | undefined
  dispute: Body<'getDispute'>
  viewer: Viewer
  onClose: () => void
}

const STEPS = { respond: Respond, appeal: Appeal, state: StateAppeal, file: AppealFile, waive: WaiveAppeal }

/** The dialog of the step that is being taken. */
function Step({ open, ...props }: StepProps) {
  if (open === undefined) return null
  const Dialog = STEPS[open]
  return <Dialog {...props} />
}
