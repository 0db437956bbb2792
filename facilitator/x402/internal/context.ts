import type { Address } from 'viem'
import type { Head } from '../../chain/head.ts'
import type { Facilitator } from '../../evidence/pass.ts'
import type { Files } from './files.ts'
import type { HeadWatch } from './headWatch.ts'

/**
 * The dependencies of the x402 interface: the facilitator that holds the lease, the payments on file, and the
 * chain's head.
 */
export interface X402Context extends Facilitator {
  files: Files
  heads: HeadWatch
  /** The addresses that pay the gas of payments. */
  submitters: readonly Address[]
}

/** The context with the head that a whole answer uses. */
export interface ChainView extends X402Context {
  head: Head
}
