import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import type { Actor } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { countSpending } from '../../../identity/tokens/spendLimit.ts'
import { NONCE_USED } from '../../../payments/escrow/authorizations.ts'
import { hasArrived } from '../../../payments/escrow/payerAttribution.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { orderProblems } from '../record/problems.ts'
import { payerConflict } from './paymentChecks.ts'
import { memberField, type PresentedPayment } from './present.ts'

/** The target of an authorization: an order, or the fee of an appeal. */
export type PaymentTarget = { order_id: string; appeal_fee_id: null } | { order_id: null; appeal_fee_id: string }

/**
 * Throws orders/payer-conflict if this same payment is stored for something else, and authorization/spent if
 * it was given up because its nonce is used.
 */
export async function requireUnfiled(
  tx: Tx,
  target: PaymentTarget,
  { lane, authorization }: PresentedPayment,
): Promise<void> {
  const filed = await tx
    .selectFrom('market.authorizations')
    .select(['order_id', 'appeal_fee_id', 'state', 'failure'])
    .where('payer', '=', authorization.from.toLowerCase())
    .where('nonce', '=', authorization.nonce)
    .executeTakeFirst()
  const isOthers = filed && (filed.order_id !== target.order_id || filed.appeal_fee_id !== target.appeal_fee_id)
  if (isOthers) throw payerConflict(memberField(lane, 'nonce'))
  if (filed?.state === 'failed' && filed.failure === NONCE_USED) throw spent(memberField(lane, 'nonce'))
}

/** Throws authorization/spent if the payment of this authorization has arrived and was processed. */
export async function requireUnspent(tx: Tx, { lane, authorization }: PresentedPayment): Promise<void> {
  const identity = { payer: authorization.from.toLowerCase(), nonce: authorization.nonce }
  if (await hasArrived(tx, identity)) throw spent(memberField(lane, 'nonce'))
}

/**
 * Stores an authorization and returns the number of the attempt, from 1. (payer, nonce) belongs to its target
 * permanently; only a permanently failed attempt of the same target may be replaced. Its amount is counted
 * against the spend limit of the caller's token. The order must be locked. Throws orders/payer-conflict, and
 * tokens/spend-limit.
 */
export async function fileAuthorization(
  tx: Tx,
  actor: Actor,
  target: PaymentTarget,
  payment: PresentedPayment,
): Promise<number> {
  const { lane, authorization } = payment
  const spending = await countPayment(tx, actor, payment)
  const attempt = await nextAttempt(tx, target)
  const signed = {
    state: 'pending' as const,
    amount_micros: authorization.value,
    valid_after: new Date(Number(authorization.validAfter) * 1000),
    valid_before: new Date(Number(authorization.validBefore) * 1000),
    signature: authorization.signature,
    attempt,
    failure: null,
    ...spending,
  }
  const identity = { payer: authorization.from.toLowerCase(), nonce: authorization.nonce }
  const filed = await tx
    .insertInto('market.authorizations')
    .values({ id: newId(), ...target, ...identity, ...signed })
    .onConflict((conflict) =>
      conflict
        .columns(['payer', 'nonce'])
        .doUpdateSet(signed)
        .where('market.authorizations.order_id', 'is not distinct from', target.order_id)
        .where('market.authorizations.appeal_fee_id', 'is not distinct from', target.appeal_fee_id)
        .where('market.authorizations.state', '=', 'failed'),
    )
    .returning('id')
    .executeTakeFirst()
  if (!filed) throw payerConflict(memberField(lane, 'nonce'))
  return attempt
}

/**
 * Counts a payment against the limit of the token that presents it, unless that was counted before: it pays
 * once.
 */
async function countPayment(tx: Tx, actor: Actor, { authorization }: PresentedPayment) {
  const counted = await tx
    .selectFrom('market.authorizations as filed')
    .innerJoin('market.tokens as token', 'token.spending_id', 'filed.spending_id')
    .select(['filed.spending_id', sql<string>`filed.spending_day::text`.as('spending_day')])
    .where('filed.payer', '=', authorization.from.toLowerCase())
    .where('filed.nonce', '=', authorization.nonce)
    .where('token.id', '=', actor.tokenId)
    .executeTakeFirst()
  return counted ?? countSpending(tx, actor, authorization.value)
}

async function nextAttempt(tx: Tx, { order_id: orderId, appeal_fee_id: feeId }: PaymentTarget): Promise<number> {
  const { last } = await tx
    .selectFrom('market.authorizations')
    .select((row) => row.fn.coalesce(row.fn.max('attempt'), sql<number>`0`).as('last'))
    .$if(orderId !== null, (query) => query.where('order_id', '=', orderId))
    .$if(feeId !== null, (query) => query.where('appeal_fee_id', '=', feeId))
    .executeTakeFirstOrThrow()
  return last + 1
}

function spent(field: string): Problem {
  return new Problem(orderProblems.authorizationSpent, {
    detail:
      'This authorization was used or cancelled before: it paid another order, is on its way back, or can no longer pay. Sign another one.',
    field,
  })
}
