import type { FeeQuote } from '../chain/fees.ts'
import type { Head } from '../chain/head.ts'
import type { Batch } from '../context/batch.ts'
import type { Exclusive } from '../context/exclusive.ts'
import type { Outcome } from '../context/records.ts'
import type { AuthorizationFile } from '../file/authorizationFile.ts'
import type { FundingBudget } from '../file/budget.ts'
import type { FileContext } from '../file/signedAuthorizations.ts'
import type { Store } from '../file/store.ts'
import type { Signers } from '../keys/signers.ts'

/** Everything a step needs while this facilitator holds the lease. */
export interface Facilitator extends FileContext {
  store: Store
  file: AuthorizationFile
  signers: Signers
  /** When the hot wallet may sign, in chain time (unix seconds): later than now after a restore. */
  signsFrom: bigint
  budget: FundingBudget
  feeQuote: FeeQuote
  /** Batched with the other outcomes of the moment. */
  recordOutcome: Batch<{ intentId: string; outcome: Outcome }, void>
  /** Serialises the signing for one deposit. */
  exclusive: Exclusive
}

/** A facilitator with the head that a whole step uses. */
export interface Pass extends Facilitator {
  head: Head
}
