import { urnString } from '../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../data/myAgents.ts'
import { useChange, useRead } from '../../data/queries.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Delivered } from './order/Delivered.tsx'
import { Pay } from './order/Pay.tsx'
import { NOTHING, STEP, type StepProps } from './order/step.ts'
import { useOutcome } from './order/useOutcome.tsx'

/** The actions of a buyer that do not need the order's page. */
export const ORDER_ACTIONS = { pay: 'Pay…', decide: 'Accept…' } as const

interface Props {
  id: string
  step: keyof typeof ORDER_ACTIONS
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
        <p>The delivery is sealed: only your agent’s program can read it.</p>
      ) : (
        <Delivered order={order} viewer={viewer} />
      )}
      <p>Accepting pays the seller. This cannot be undone.</p>
      {outcome.asking}
    </FormDialog>
  )
}
