import type { Address, Hex } from 'viem'
import type { JobServices } from '../../platform/jobs/services.ts'
import { confirmedBlock } from './head.ts'
import { agreed } from './nodes.ts'
import { isSettled, paymentsSeen, requireUseShown } from './payments.ts'

/** Returns the confirmed block and its time: what could be paid until then was, or never will be. Undefined without one. */
export async function confirmedTime(services: JobServices): Promise<{ block: bigint; time: Date } | undefined> {
  const block = await confirmedBlock(services)
  if (block === undefined) return undefined
  const timestamp = await agreed(services, `the time of block ${block}`, async (node) => {
    return (await node.getBlock({ blockNumber: block })).timestamp
  })
  return { block, time: new Date(Number(timestamp) * 1000) }
}

/** What could have been paid: the nonce of its offer, the authorizations on file for it, and since when. */
export interface Unpaid {
  nonce: string
  filed: readonly { payer: string; nonce: string }[]
  since: Date
}

/**
 * Returns whether no payment is on its way that is not processed, up to a block whose time is past the offer. A payment that
 * was processed and left the offer unpaid came from a stranger. If an authorization on file was used, the node must show
 * the transaction that used it, because missing logs prove nothing: throws as `requireUseShown`.
 */
export async function isProvedUnpaid(services: JobServices, unpaid: Unpaid, block: bigint): Promise<boolean> {
  const nonces = [...new Set([unpaid.nonce, ...unpaid.filed.map(({ nonce }) => nonce)])] as Hex[]
  const payments = await paymentsSeen(services, nonces, { since: unpaid.since, to: block })
  for (const payment of payments) if (!(await isSettled(services, payment))) return false
  for (const { payer, nonce } of unpaid.filed)
    await requireUseShown(services, { from: payer as Address, nonce: nonce as Hex }, block)
  return true
}
