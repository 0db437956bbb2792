import type { Address } from 'viem'
import type { Stack } from '../../stack/stack.ts'

/** Where attacks take place: the real processes, and a contract that makes any calls in one transaction. */
export interface Arena {
  stack: Stack
  sequence: Address
}
