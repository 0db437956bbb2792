import type { Hex } from 'viem'
import { escrowAbi } from '../../protocol/generated/escrow.ts'
import type { Block } from '../context/chain.ts'
import type { Pass } from './pass.ts'

// In the order of the contract's enum.
const STATES = ['none', 'held', 'released', 'reclaimed', 'returned'] as const

/** The state of a hold. `returned` marks an unmatched payment that was returned. */
export type HoldState = (typeof STATES)[number]

/** Returns a hold's state at the newest block, and whether confirmed depth agrees: only then is it final. */
export async function readHoldState(
  { client, at, head }: Pass,
  id: Hex,
): Promise<{ state: HoldState; isFinal: boolean }> {
  const read = ({ hash: blockHash }: Block) =>
    client.readContract({ address: at.escrow, abi: escrowAbi, functionName: 'stateOf', args: [id], blockHash })
  const [latest, confirmed] = await Promise.all([read(head.latest), read(head.confirmed)])
  const state = STATES[latest]
  if (!state) throw new Error(`the escrow answers an unknown hold state: ${latest}`)
  return { state, isFinal: latest === confirmed }
}
