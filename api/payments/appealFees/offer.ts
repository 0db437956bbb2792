import { sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { appealFeeNonce, appealKey } from '../../../protocol/payments/nonces.ts'
import type { MarketRules, Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { unixSeconds } from '../escrow/terms.ts'
import type { AppealFeeRow } from './find.ts'

// Blocks are stamped a little behind our clock, and the token requires that the validity has begun.
const CLOCK_SKEW_SECONDS = 600
const BPS_SCALE = 10_000n

/** An appeal whose fee is to be paid. */
export interface FeeRequest {
  disputeId: string
  orderId: string
  party: AppealFeeRow['party']
  agentId: string
  priceMicros: bigint
  now: Date
}

/**
 * Returns the fee of an appeal: a part of the price within bounds, and never above the price; micro-units.
 */
export function appealFeeMicros(rules: MarketRules, priceMicros: bigint): bigint {
  const part = (priceMicros * BigInt(rules.appealFeeBps)) / BPS_SCALE
  const atLeast = part < rules.minAppealFeeMicros ? rules.minAppealFeeMicros : part
  const atMost = atLeast > rules.maxAppealFeeMicros ? rules.maxAppealFeeMicros : atLeast
  return atMost > priceMicros ? priceMicros : atMost
}

/**
 * Offers an appeal's fee for payment, and fixes the terms that its payer must sign. The order must be locked.
 * Throws if this side has appealed before.
 */
export async function offerAppealFee(
  tx: Tx,
  { chain, rules }: Pick<Settings, 'chain' | 'rules'>,
  { disputeId, orderId, party, agentId, priceMicros, now }: FeeRequest,
): Promise<AppealFeeRow> {
  const amountMicros = appealFeeMicros(rules, priceMicros)
  const atSeconds = (offset: number) => new Date((unixSeconds(now) + offset) * 1000)
  return tx
    .insertInto('market.appeal_fees')
    .values({
      id: newId(),
      dispute_id: disputeId,
      order_id: orderId,
      party,
      agent_id: agentId,
      state: 'offered',
      amount_micros: amountMicros,
      recipient: chain.hotWallet.toLowerCase(),
      nonce: appealFeeNonce(chain, appealKey({ disputeId, appellantId: agentId }), amountMicros),
      valid_after: atSeconds(-CLOCK_SKEW_SECONDS),
      valid_before: atSeconds(rules.appealPaymentSeconds),
      payer: null,
      deposit_tx: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks an agent's owner, so that two appeals at once count each other. */
export async function lockOwner(tx: Tx, agentId: string): Promise<void> {
  await sql`select from market.humans
    where id = (select owner_id from market.agents where id = ${agentId}) for no key update`.execute(tx)
}

/** Returns how many appeals of an agent's owner are open: not paid yet, or heard. */
export async function countOpenAppeals(tx: Tx, agentId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from market.agents appellant
      join market.agents agent on agent.owner_id = appellant.owner_id
      join market.appeal_fees fee on fee.agent_id = agent.id
    where appellant.id = ${agentId} and fee.state in ('offered', 'held')`.execute(tx)
  return rows[0]?.open ?? 0
}
