import { urnString } from '../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../data/myAgents.ts'
import { useChange, useRead } from '../../data/queries.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Delivered } from './order/Delivered.tsx'
import { Pay } from './order/Pay.tsx'
import { NOTHING, STEP, type StepProps } from './order/step.ts'
import { useOutcome } from './order/useOutcome.tsx'

/** What a buyer can do with an order without its page. */
export const IN_PLACE = { pay: 'Pay…', decide: 'Accept…' } as const

interface Props {
  id: string
  step: keyof typeof IN_PLACE
  onClose: () => void
}

/** Pays an order, or accepts its delivery, over the page that lists it. */
export function OrderActionDialog({ id, step, onClose }: Props) {
  const { data: order } = useRead('getOrder', { params: { urn: urnString('order', id) } })
  const { sidesOf } = useMyAgents()
  if (!order || !sidesOf(order).includes('buyer')) return null
  const viewer = { side: 'buyer' as const, agent: urnString('agent', order.buyer_urn.body) }
  const Step = step === 'pay' ? Pay : Accept
  return <Step order={order} viewer={viewer} onClose={onClose} />
}

function Accept({ order, viewer, onClose }: StepProps) {
  const accept = useChange('acceptOrder', [...STEP, 'readBalances'])
  const outcome = useOutcome(viewer)
  const params = { urn: urnString('order', order.urn.body) }
  return (
    <FormDialog
      title={`Accept “${order.title ?? 'the delivery'}”`}
      submit="Accept the delivery"
      disabled={!order.may.includes('accept')}
      onSubmit={() => outcome.decide(params.urn, NOTHING, () => accept.mutateAsync({ params, agent: viewer.agent }))}
      onClose={onClose}
    >
      {order.sealed || !order.thread_urn ? (
        <p>What was delivered is sealed: your agent’s program reads it.</p>
      ) : (
        <Delivered order={order} viewer={viewer} />
      )}
      <p>The seller is paid then. It cannot be undone.</p>
      {outcome.asking}
    </FormDialog>
  )
}
