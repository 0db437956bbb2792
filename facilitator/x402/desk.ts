import type { Address } from 'viem'
import type { Facilitator } from '../context.ts'
import type { Head } from '../head.ts'
import type { Files } from './files.ts'
import type { HeadWatch } from './headWatch.ts'

/** What the x402 interface works with: the facilitator that acts, what is on file, and the chain's head. */
export interface Desk extends Facilitator {
  files: Files
  heads: HeadWatch
  /** Who pays the gas of payments. */
  submitters: readonly Address[]
}

/** One look at the chain that an answer goes by. */
export interface Sight extends Desk {
  head: Head
}
