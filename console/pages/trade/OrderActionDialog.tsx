import { urnString } from '../../../protocol/encoding/urn.ts'
import { useMyAgents } from '../../data/myAgents.ts'
import { useRead } from '../../data/queries.ts'
import { msg } from '../../texts/texts.ts'
import { Accept } from './order/Accept.tsx'
import { Pay } from './order/Pay.tsx'

/** The actions of a buyer that do not need the order's page. */
export const ORDER_ACTIONS = { pay: msg('Pay…'), decide: msg('Accept…') } as const

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
