import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { OperationName } from '../../../../sdk/market.ts'
import type { OrderBody, Viewer } from './Order.tsx'

/** What an order's page reads again after a step. */
export const STEP: readonly OperationName[] = ['getOrder', 'getOrderTimeline', 'listOrders']

/** What goes back to the buyer where the seller is paid. */
export const NOTHING = '0.000000'

/** What a dialog of the order is given. */
export interface StepProps {
  order: OrderBody
  viewer: Viewer
  onClose: () => void
}

/** Returns the URN of the thread of an order that was paid. */
export function threadOf({ thread_urn }: OrderBody): string {
  if (!thread_urn) throw new Error('There is no thread before the order is paid.')
  return urnString('thread', thread_urn.body)
}
