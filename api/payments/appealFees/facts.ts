import { factKind } from '../../platform/facts/announce.ts'
import type { AppealFeeRow } from './find.ts'

// What payments announces about the fee of an appeal. `api/reactions.ts` lists how other domains react.

/** The fee of an appeal was paid: it is held, and the appeal is to be heard. The order is locked. */
export interface AppealFeePaid {
  orderId: string
  disputeId: string
  party: AppealFeeRow['party']
}
export const AppealFeePaid = factKind<AppealFeePaid>('AppealFeePaid')
