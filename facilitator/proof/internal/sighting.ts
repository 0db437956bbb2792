import type { Limits } from '../../context/chain.ts'
import type { Pass } from '../../evidence/pass.ts'

/** The dependencies of a first sight. */
export type Sighting = Pick<Pass, 'exclusive' | 'store' | 'head' | 'hotWallet' | 'log'> & {
  limits: Pick<Limits, 'unprovedDailyMicros' | 'releaseDelaySeconds'>
}
