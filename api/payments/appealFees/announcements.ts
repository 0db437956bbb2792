import type { Settings } from '../../context.ts'
import { announcementKind } from '../../platform/announcements/announce.ts'
import type { OrderRow } from '../escrow/queries.ts'
import type { AppealFeeRow } from './find.ts'

// The announcements of payments about the fee of an appeal. `api/reactions.ts` lists how other domains react.

/** The fee of an appeal was paid: it is held, and the appeal is to be heard. */
export interface AppealFeePaid {
  /** The row of the disputed order, as it was locked. */
  order: OrderRow
  disputeId: string
  party: AppealFeeRow['party']
}
export const AppealFeePaid = announcementKind<AppealFeePaid, Settings>('AppealFeePaid')
