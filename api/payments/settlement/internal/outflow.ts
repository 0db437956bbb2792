import { sql } from 'kysely'
import { isAddressEqual } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { PayoutLeg } from '../../../../protocol/payments/nonces.ts'
import { type Split, splitHold } from '../../../../protocol/payments/split.ts'
import type { Settings } from '../../../context.ts'
import { hasProvenWallet, haveOneOwner } from '../../../identity/wallets/wallets.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { OPERATORS } from '../../../platform/events/visibility.ts'
import { returnFeeAsSeen } from '../../appealFees/decide.ts'
import { businessKey, type LeakEvent, type OutflowEvent } from '../../chain/evidence.ts'
import { closeIntent } from '../../chain/intents.ts'
import { releaseDeposit } from '../../escrow/custody.ts'
import { type DepositLeg, depositOfPayout } from '../../escrow/deposits.ts'
import { type HoldRow, lockHold } from '../../escrow/holds.ts'
import { lockOrderRow, type OrderRow } from '../../escrow/queries.ts'
import { setStrayStatus } from '../../escrow/strayPayments.ts'
import { payoutConfirmedPosting } from '../../ledger/custody.ts'
import { lostPosting } from '../../ledger/loss.ts'
import { post } from '../../ledger/post.ts'
import { payoutAccount } from '../../payouts/account.ts'
import { openRefund } from '../../payouts/open.ts'
import { type PayoutRow, transitionPayout } from '../../payouts/transition.ts'
import { recordSweep } from '../../reserve/record.ts'
import { isExplained } from '../../stops/stops.ts'
import { settlementEvents } from '../module.ts'
import { recordUnrecordedPayout } from './unrecordedPayout.ts'

/**
 * Thrown when tokens left the hot wallet and no payout explains it, or left the contract and no event
 * explains it. Payouts stop until an operator has explained it.
 */
export class UnexplainedOutflow extends Error {
  readonly place: 'hot_wallet' | 'escrow'

  constructor(place: 'hot_wallet' | 'escrow', message: string) {
    super(message)
    this.place = place
  }
}

/**
 * Tokens left the contract in a way that its code does not allow. Throws an UnexplainedOutflow unless an
 * operator has explained it.
 */
export async function recordUnexplainedOutflow(
  tx: Tx,
  settings: Pick<Settings, 'chain'>,
  event: LeakEvent,
): Promise<void> {
  if (await recordExplainedLoss(tx, settings, event)) return
  const { amountMicros, to } = event
  throw new UnexplainedOutflow(
    'escrow',
    `${formatAmount(amountMicros)} left the contract for ${to}, and none of its events explains it`,
  )
}

/**
 * Tokens left the hot wallet: records that the deposit's leg with this nonce is paid out, whether or not its
 * intent is on file. Throws if the amount is not the amount owed, and an UnexplainedOutflow if neither a
 * deposit nor an operator explains it, or if it went to a wallet that its owner never bound.
 */
export async function recordOutflow(tx: Tx, settings: Settings, event: OutflowEvent): Promise<void> {
  const deposit = event.nonce === null ? undefined : await depositOfPayout(tx, event.nonce)
  if (!deposit && ((await recordSweep(tx, settings, event)) || (await recordExplainedLoss(tx, settings, event)))) return
  if (!deposit)
    throw new UnexplainedOutflow(
      'hot_wallet',
      `${formatAmount(event.amountMicros)} left the hot wallet for ${event.to}, and no deposit explains it`,
    )
  const paid = await lockPaidHold(tx, deposit)
  if (!paid && deposit.leg === 'payee') {
    const refund = await findPayout(tx, { ...deposit, leg: 'payer' })
    await recordUnrecordedPayout(tx, settings, event, { ...deposit, refund })
    return
  }
  const isOwners = await goesToOwner(tx, event, deposit, paid?.order)
  if (!isOwners && (await recordExplainedLoss(tx, settings, event))) return
  if (!isOwners)
    throw new UnexplainedOutflow(
      'hot_wallet',
      `${formatAmount(event.amountMicros)} of deposit ${deposit.payer}:${deposit.nonce} left the hot wallet for ${event.to}, which the ${deposit.leg} never bound`,
    )
  const payout = (await findPayout(tx, deposit)) ?? (await openMissingPayout(tx, settings, event, { deposit, paid }))
  if (payout.amount_micros !== event.amountMicros) {
    throw new Error(`payout ${payout.id} is of ${payout.amount_micros}, and the hot wallet paid ${event.amountMicros}`)
  }
  if (!(await transitionPayout(tx, payout.id, 'confirm', confirmation(event)))) return
  await post(tx, payoutConfirmedPosting(settings.chain, event, payout.order_id, payoutAccount(payout)))
  await closeIntent(tx, `payout:${payout.id}`, 'settled')
  if (paid) await recordReleaseTx(tx, paid.order.id, payout.leg, event)
  else await setStrayStatus(tx, `payment:${deposit.payer}:${deposit.nonce}`, 'returned')
  const details = { tx_hash: event.place.txHash }
  await audit(tx, { actor: 'service', action: 'payout.confirmed', subject: urnString('payout', payout.id), details })
}

/**
 * Returns whether a leg went to its rightful recipient: the deposit's payer, another wallet of the payer's
 * owner, or a wallet that the seller's or the buyer's owner has proven. The nonce alone does not prove that:
 * the hot wallet can sign any recipient under it.
 */
async function goesToOwner(
  tx: Tx,
  { to }: OutflowEvent,
  { payer, leg }: DepositLeg,
  order: OrderRow | undefined,
): Promise<boolean> {
  if (leg === 'payer' && (isAddressEqual(to, payer) || (await haveOneOwner(tx, payer, to)))) return true
  if (!order) return false
  return hasProvenWallet(tx, leg === 'payee' ? order.seller_id : order.buyer_id, to)
}

function confirmation(event: OutflowEvent) {
  return { to_address: event.to, tx_hash: event.place.txHash, confirmed_at: sql`market.now()` }
}

/** The order that a deposit has paid, and its hold, both locked. */
interface Paid {
  order: OrderRow
  hold: HoldRow
}

async function lockPaidHold(tx: Tx, { payer, nonce }: DepositLeg): Promise<Paid | undefined> {
  const found = await tx
    .selectFrom('market.holds')
    .select('order_id')
    .where('payer', '=', payer)
    .where('deposit_nonce', '=', nonce)
    .executeTakeFirst()
  const order = found && (await lockOrderRow(tx, found.order_id))
  return order && { order, hold: await lockHold(tx, order.id) }
}

async function findPayout(tx: Tx, { payer, nonce, leg }: DepositLeg): Promise<PayoutRow | undefined> {
  return tx
    .selectFrom('market.payouts')
    .selectAll()
    .where('deposit_from', '=', payer)
    .where('deposit_nonce', '=', nonce)
    .where('leg', '=', leg)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * The chain made a payout that is not on file: the database was restored from an earlier copy. Releases the
 * hold with the split that the payout shows, or opens the refund of the unmatched deposit. Throws if the
 * deposit owed nothing to this leg.
 */
async function openMissingPayout(
  tx: Tx,
  settings: Settings,
  event: OutflowEvent,
  { deposit, paid }: { deposit: DepositLeg; paid: Paid | undefined },
): Promise<PayoutRow> {
  if (paid?.hold.status === 'held') {
    const { order, hold } = paid
    const split = splitSeen(hold.amount_micros, order.fee_bps, deposit.leg, event.amountMicros)
    await releaseDeposit(tx, settings, order, hold, split)
  } else if (!paid && deposit.leg === 'payer' && !(await returnFeeAsSeen(tx, settings, deposit))) {
    const { payer, nonce } = deposit
    const stray = { key: `payment:${payer}:${nonce}`, payer, nonce, amountMicros: event.amountMicros, orderId: null }
    await openRefund(tx, settings, stray)
  }
  const payout = await findPayout(tx, deposit)
  if (payout) return payout
  throw new Error(
    `the hot wallet paid the ${deposit.leg} of deposit ${deposit.payer}:${deposit.nonce}, who was owed nothing`,
  )
}

const BPS_SCALE = 10_000n

/**
 * Computes the split of a hold from one of its legs as paid. The fee is rounded down, so two splits can leave
 * a seller the same net: returns the one without a refund, or else the one with the larger refund. Throws if
 * no split fits.
 */
export function splitSeen(holdMicros: bigint, feeBps: number, leg: PayoutLeg, paidMicros: bigint): Split {
  if (leg === 'payer') return splitHold(holdMicros, paidMicros, feeBps)
  const unrefunded = splitHold(holdMicros, 0n, feeBps)
  if (unrefunded.payeeMicros === paidMicros) return unrefunded
  const gross = (paidMicros * BPS_SCALE) / (BPS_SCALE - BigInt(feeBps))
  for (const candidate of [gross - 1n, gross, gross + 1n]) {
    if (candidate < 0n || candidate > holdMicros) continue
    const split = splitHold(holdMicros, holdMicros - candidate, feeBps)
    if (split.payeeMicros === paidMicros) return split
  }
  throw new Error(`no distribution of ${holdMicros} leaves a seller ${paidMicros}`)
}

/**
 * Records the transaction that released a hold: the seller's payment, or the refund if the seller got
 * nothing.
 */
async function recordReleaseTx(tx: Tx, orderId: string, leg: PayoutLeg, event: OutflowEvent): Promise<void> {
  await tx
    .updateTable('market.holds')
    .set({ release_tx: event.place.txHash, settled_at: sql`market.now()` })
    .where('order_id', '=', orderId)
    .$if(leg === 'payer', (refund) => refund.where('released_payee_micros', '=', 0n))
    .execute()
}

/**
 * Posts tokens that left for no reason shown on the chain as the service's loss, if an operator has explained
 * it, and emits an event to operators. Liabilities do not change. Returns false, and changes nothing, while
 * no operator has explained it.
 */
async function recordExplainedLoss(
  tx: Tx,
  { chain }: Pick<Settings, 'chain'>,
  event: OutflowEvent | LeakEvent,
): Promise<boolean> {
  const key = businessKey(event)
  if (!(await isExplained(tx, key))) return false
  await post(tx, lostPosting(chain, event))
  const details = { tx_hash: event.place.txHash, to: event.to, amount_micros: event.amountMicros.toString() }
  await audit(tx, { actor: 'service', action: 'loss.booked', subject: key, details })
  await emit(tx, settlementEvents['loss.booked'], {
    payload: {
      fact: key,
      place: event.kind === 'leak' ? 'escrow' : 'hot_wallet',
      amount: formatAmount(event.amountMicros),
      tx_hash: event.place.txHash,
    },
    visibleTo: [OPERATORS],
  })
  return true
}
