import type { Address } from 'viem'
import type { IntentOf, ReleaseEvidence } from '../../../protocol/payments/intents.ts'
import { type Split, splitHold } from '../../../protocol/payments/split.ts'
import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { requestIntent } from '../chain/intents.ts'
import { requireKnownChain } from '../chain/progress.ts'
import { type ReleaseBasis, readReleaseEvidence } from './approvals.ts'
import { releaseDeposit } from './custody.ts'
import { type HoldRow, keepEvidence, lockHold } from './holds.ts'
import { isFrozen, type OrderRow } from './queries.ts'
import { holdTerms } from './terms.ts'

/**
 * Releases the hold of an order that is locked: `refundMicros` to the payer, the rest to the seller less the
 * fee (spec 3.3). In custodied mode the hold is released in this transaction, and payouts follow. In contract
 * mode this writes a release intent, and the hold is released when `settle` processes the chain event. Throws
 * a RangeError for a refund above the hold, an Error if nothing is held, a dispute freezes it or its payment
 * was removed from the chain, and service/catching-up while the chain is not known. The intents carry the
 * signatures of the parties' wallets that are on file for this split, and the basis.
 */
export async function requestRelease(
  tx: Tx,
  settings: Settings,
  order: OrderRow,
  { refundMicros, ...basis }: { refundMicros: bigint } & ReleaseBasis,
): Promise<void> {
  await requireKnownChain(tx)
  if (order.suspended_at !== null) throw new Error(`the payment of ${order.id} is gone from the chain`)
  if (await isFrozen(tx, order.id)) throw new Error(`the hold of ${order.id} is frozen by its dispute`)
  const hold = await lockHold(tx, order.id)
  if (hold.status !== 'held') throw new Error(`hold ${hold.id} was released before`)
  const split = splitHold(hold.amount_micros, refundMicros, order.fee_bps)
  const evidence = await readReleaseEvidence(tx, order, hold, split, basis)
  if (order.escrow_mode === 'custodied') await releaseDeposit(tx, settings, order, hold, split, evidence)
  else await requestContractRelease(tx, order, hold, { split, evidence })
}

async function requestContractRelease(
  tx: Tx,
  order: OrderRow,
  hold: HoldRow,
  { split, evidence }: { split: Split; evidence: ReleaseEvidence },
): Promise<void> {
  await keepEvidence(tx, hold, evidence)
  const name = { key: `release:${order.id}`, orderId: order.id }
  await requestIntent(tx, name, { ...contractRelease(order, hold, split), evidence })
}

/** Returns the release of a hold of the contract, without evidence. */
export function contractRelease(
  order: OrderRow,
  hold: Pick<HoldRow, 'payer'>,
  split: Split,
): Omit<IntentOf<'release'>, 'evidence'> {
  const terms = holdTerms(order)
  const payer = hold.payer as Address
  const legs = [
    { account: terms.payee, amount: split.payeeMicros },
    { account: payer, amount: split.payerMicros },
    { account: terms.feeRecipient, amount: split.feeMicros },
  ].filter(({ amount }) => amount > 0n)
  return {
    kind: 'release',
    terms,
    payer,
    recipients: legs.map(({ account }) => account),
    amounts: legs.map(({ amount }) => amount),
  }
}
