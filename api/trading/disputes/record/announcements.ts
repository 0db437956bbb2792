import type { Settings } from '../../../context.ts'
import { announcementKind } from '../../../platform/announcements/announce.ts'
import type { Party } from '../../orders/record/find.ts'

/** A verdict of a dispute was signed. `sequence` above 1 supersedes the one before it. */
export interface VerdictSigned {
  orderId: string
  disputeId: string
  verdictId: string
  sequence: number
  winner: Party
}
export const VerdictSigned = announcementKind<VerdictSigned, Settings>('VerdictSigned')

/** The final verdict of a dispute was executed: the order's money is distributed, and the order is final. */
export interface VerdictResolved {
  orderId: string
  disputeId: string
  verdictId: string
}
export const VerdictResolved = announcementKind<VerdictResolved, Settings>('VerdictResolved')
