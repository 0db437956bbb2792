import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { OperationName } from '../../../../../sdk/market.ts'
import { t } from '../../../../texts/texts.ts'
import type { OrderBody, Viewer } from './order.ts'

/** The operations that an order's page reads again after a step. */
export const STEP: readonly OperationName[] = ['getOrder', 'getOrderTimeline', 'listOrders']

/** The refund if the seller is paid. */
export const NOTHING = '0.000000'

/** The props of the order's dialogs. */
export interface StepProps {
  order: OrderBody
  viewer: Viewer
  onClose: () => void
}

/** Returns the URN of the thread of an order that was paid. */
export function threadOf({ thread_urn }: OrderBody): string {
  if (!thread_urn) throw new Error(t('There is no thread before the order is paid.'))
  return urnString('thread', thread_urn.body)
}
