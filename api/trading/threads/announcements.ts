import type { Settings } from '../../context.ts'
import { announcementKind } from '../../platform/announcements/announce.ts'
import type { OrderRow } from '../orders/record/find.ts'

/** The parties of a disputed order, which is locked, agreed on how much of the price is refunded. */
export interface RemedyAccepted {
  order: OrderRow
  refundMicros: bigint
}
export const RemedyAccepted = announcementKind<RemedyAccepted, Settings>('RemedyAccepted')
