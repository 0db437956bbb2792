import { sql } from 'kysely'
import type { PayoutLeg } from '../../protocol/nonces.ts'
import { type Split, splitHold } from '../../protocol/split.ts'
import { urnString } from '../../protocol/urn.ts'
import type { Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { closeIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { payoutConfirmedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { lockOrderRow } from '../orders/find.ts'
import { payoutAccount } from '../payouts/account.ts'
import { openRefund } from '../payouts/open.ts'
import { movePayout, type PayoutRow } from '../payouts/transition.ts'
import { recordSweep } from '../reserve/record.ts'
import { releaseDeposit } from './custody.ts'
import { type DepositLeg, depositOfPayout } from './deposits.ts'
import type { LeakEvent, OutflowEvent } from './evidence.ts'
import { recordForgottenPayout } from './forgotten.ts'
import { type HoldRow, lockHold } from './holds.ts'
import { recordLost } from './lost.ts'
import { setStrayStatus } from './strays.ts'

/**
 * Tokens left the hot wallet, and no payout that can be is theirs; or they left the contract without a word of its own.
 * Until somebody knows why, nothing more must leave there.
 */
export class UnexplainedOutflow extends Error {
  readonly place: 'hot_wallet' | 'escrow'

  constructor(place: 'hot_wallet' | 'escrow', message: string) {
    super(message)
    this.place = place
  }
}

/** Tokens left the contract and should not have been able to. Throws an UnexplainedOutflow unless an operator has explained it. */
export async function recordLeak(tx: Tx, settings: Settings, event: LeakEvent): Promise<void> {
  if (await recordLost(tx, settings, event)) return
  const { amountMicros, to } = event
  throw new UnexplainedOutflow(
    'escrow',
    `${amountMicros} left the contract for ${to}, and none of its events explains it`,
  )
}

/**
 * Tokens left the hot wallet: a leg of a deposit is paid out, whatever we know of having asked for it. Throws for
 * one that is not what was owed, and an UnexplainedOutflow where neither a deposit nor an operator explains it.
 */
export async function recordOutflow(tx: Tx, settings: Settings, event: OutflowEvent): Promise<void> {
  const deposit = event.nonce === null ? undefined : await depositOfPayout(tx, event.nonce)
  if (!deposit && ((await recordSweep(tx, settings, event)) || (await recordLost(tx, settings, event)))) return
  if (!deposit)
    throw new UnexplainedOutflow(
      'hot_wallet',
      `${event.amountMicros} left the hot wallet for ${event.to}, and no deposit explains it`,
    )
  const hold = await lockPaidHold(tx, deposit)
  if (!hold && deposit.leg === 'payee') {
    const refund = await findPayout(tx, { ...deposit, leg: 'payer' })
    await recordForgottenPayout(tx, settings, event, { ...deposit, refund })
    return
  }
  const payout = (await findPayout(tx, deposit)) ?? (await catchUp(tx, settings, event, { deposit, hold }))
  if (payout.amount_micros !== event.amountMicros) {
    throw new Error(`payout ${payout.id} is of ${payout.amount_micros}, and the hot wallet paid ${event.amountMicros}`)
  }
  if (!(await movePayout(tx, payout.id, 'confirm', confirmation(event)))) return
  await post(tx, payoutConfirmedPosting(settings.chain, event, payout.order_id, payoutAccount(payout)))
  await closeIntent(tx, `payout:${payout.id}`, 'settled')
  if (hold) await noteRelease(tx, hold.order_id, payout.leg, event)
  else await setStrayStatus(tx, `payment:${deposit.payer}:${deposit.nonce}`, 'returned')
  const details = { tx_hash: event.place.txHash }
  await audit(tx, { actor: 'service', action: 'payout.confirmed', subject: urnString('payout', payout.id), details })
}

function confirmation(event: OutflowEvent) {
  return { to_address: event.to, tx_hash: event.place.txHash, confirmed_at: sql`market.now()` }
}

async function lockPaidHold(tx: Tx, { payer, nonce }: DepositLeg): Promise<HoldRow | undefined> {
  const found = await tx
    .selectFrom('market.holds')
    .select('order_id')
    .where('payer', '=', payer)
    .where('deposit_nonce', '=', nonce)
    .executeTakeFirst()
  if (!found) return undefined
  await lockOrderRow(tx, found.order_id)
  return lockHold(tx, found.order_id)
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

/** The chain knows of a payout that we do not: this is an earlier copy of the database. Its order ends as it then did. */
async function catchUp(
  tx: Tx,
  settings: Settings,
  event: OutflowEvent,
  { deposit, hold }: { deposit: DepositLeg; hold: HoldRow | undefined },
): Promise<PayoutRow> {
  const order = hold && (await lockOrderRow(tx, hold.order_id))
  if (order && hold.status === 'held') {
    await releaseDeposit(
      tx,
      settings,
      order,
      hold,
      splitSeen(hold.amount_micros, order.fee_bps, deposit.leg, event.amountMicros),
    )
  } else if (!order && deposit.leg === 'payer') {
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
 * The distribution of a hold, from one of its legs as paid. The fee is rounded down, so two sums can leave a seller the
 * same net: then it is the one without a refund, or else the one with the larger.
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

/** The transaction that let the hold go is the seller's payment, or the refund where there was nothing for the seller. */
async function noteRelease(tx: Tx, orderId: string, leg: PayoutLeg, event: OutflowEvent): Promise<void> {
  await tx
    .updateTable('market.holds')
    .set({ release_tx: event.place.txHash, settled_at: sql`market.now()` })
    .where('order_id', '=', orderId)
    .$if(leg === 'payer', (refund) => refund.where('released_payee_micros', '=', 0n))
    .execute()
}
