import { sql } from 'kysely'
import type { Settings } from '../../context.ts'
import { readOwner } from '../../identity/accounts/owner.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { appealDecidedPosting } from '../ledger/appealFees.ts'
import { post } from '../ledger/post.ts'
import { openPayout } from '../payouts/open.ts'
import { type AppealFeeRow, bookedFee, closeFeeIntents, lockFeeWithNonce } from './find.ts'

// How a fee ends. Each verb needs its order locked, and throws if the fee is in another state.

/** Lets a fee that was not paid lapse: a payment of it that arrives later is unmatched and is returned. */
export async function lapseAppealFee(tx: Tx, fee: AppealFeeRow): Promise<void> {
  await moveFee(tx, fee, 'offered', 'lapsed')
  await closeFeeIntents(tx, fee.id, 'voided')
}

/** Makes a held fee the service's own money. */
export async function keepAppealFee(tx: Tx, { chain }: Pick<Settings, 'chain'>, fee: AppealFeeRow): Promise<void> {
  await moveFee(tx, fee, 'held', 'kept')
  await post(tx, appealDecidedPosting(chain, bookedFee(fee), null))
}

/** Returns a held fee to the wallet that paid it, by a payout like every refund. */
export async function returnAppealFee(tx: Tx, settings: Pick<Settings, 'chain'>, fee: AppealFeeRow): Promise<void> {
  await moveFee(tx, fee, 'held', 'returned')
  if (fee.payer === null) throw new Error(`fee ${fee.id} is held and has no payer`)
  const payout = await openPayout(tx, settings, {
    deposit: { payer: fee.payer, nonce: fee.nonce },
    leg: 'payer',
    amountMicros: fee.amount_micros,
    orderId: null,
    agentId: fee.agent_id,
    humanId: await readOwner(tx, fee.agent_id),
  })
  await post(tx, appealDecidedPosting(settings.chain, bookedFee(fee), payout.id))
}

/**
 * Records the return of a fee that the chain shows as returned and this copy of the database as held. Returns
 * false and changes nothing if the deposit is not a held fee.
 */
export async function returnFeeAsSeen(
  tx: Tx,
  settings: Pick<Settings, 'chain'>,
  { payer, nonce }: { payer: string; nonce: string },
): Promise<boolean> {
  const fee = (await lockFeeWithNonce(tx, nonce))?.fee
  if (fee?.state !== 'held' || fee.payer !== payer) return false
  await returnAppealFee(tx, settings, fee)
  return true
}

async function moveFee(
  tx: Tx,
  { id }: AppealFeeRow,
  from: AppealFeeRow['state'],
  to: AppealFeeRow['state'],
): Promise<void> {
  await tx
    .updateTable('market.appeal_fees')
    .set({ state: to, ended_at: sql<Date>`market.now()` })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirstOrThrow(() => new Error(`fee ${id} is not ${from}`))
}
