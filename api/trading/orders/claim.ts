import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { SignedAuthorization } from '../../../protocol/authorization.ts'
import type { IntentPayload } from '../../../protocol/intents.ts'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { requestIntent } from '../../payments/chain/intents.ts'
import { NONCE_USED } from '../../payments/escrow/authorizations.ts'
import { matchParkedPayment } from '../../payments/escrow/parkedPayments.ts'
import { payableOf } from '../../payments/escrow/payable.ts'
import { hasArrived } from '../../payments/escrow/payerAttribution.ts'
import { holdTerms } from '../../payments/escrow/terms.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { OrderRow } from './find.ts'
import { payerConflict } from './payer.ts'
import { memberField, type PresentedPayment } from './presented.ts'

/**
 * Stores an authorization and requests its submission by the facilitator, or takes the payment at once if it was
 * already submitted. (payer, nonce) belongs to this order permanently; only a permanently failed attempt of the same
 * order may be replaced. The order's row must be locked.
 */
export async function claimPayment(
  tx: Tx,
  settings: Settings,
  order: OrderRow,
  { lane, authorization }: PresentedPayment,
): Promise<void> {
  const attempt = await nextAttempt(tx, order.id)
  const claimed = await insertClaim(tx, order.id, attempt, authorization)
  if (!claimed) throw payerConflict(memberField(lane, 'nonce'))
  const identity = { payer: authorization.from.toLowerCase(), nonce: authorization.nonce }
  if (await matchParkedPayment(tx, settings, payableOf(order), identity)) return
  if (await hasArrived(tx, identity)) throw spent(memberField(lane, 'nonce'))
  const payload: IntentPayload =
    order.escrow_mode === 'contract'
      ? { kind: 'fund', terms: holdTerms(order), authorization }
      : { kind: 'deposit', authorization }
  const ownerId = await ownerOf(tx, order.buyer_id)
  await requestIntent(tx, { key: `${payload.kind}:${order.id}:${attempt}`, orderId: order.id, ownerId }, payload)
}

async function ownerOf(tx: Tx, agentId: string): Promise<string> {
  const agent = tx.selectFrom('market.agents').select('owner_id').where('id', '=', agentId)
  return (await agent.executeTakeFirstOrThrow()).owner_id
}

/**
 * Throws orders/payer-conflict if this same payment is stored for another order, and authorization/spent if it was given up
 * because its nonce is used.
 */
export async function requireUnclaimed(
  tx: Tx,
  order: OrderRow,
  { lane, authorization }: PresentedPayment,
): Promise<void> {
  const claimed = await tx
    .selectFrom('market.authorizations')
    .select(['order_id', 'state', 'failure'])
    .where('payer', '=', authorization.from.toLowerCase())
    .where('nonce', '=', authorization.nonce)
    .executeTakeFirst()
  if (claimed && claimed.order_id !== order.id) throw payerConflict(memberField(lane, 'nonce'))
  if (claimed?.state === 'failed' && claimed.failure === NONCE_USED) throw spent(memberField(lane, 'nonce'))
}

function spent(field: string): Problem {
  return new Problem('authorization/spent', {
    detail:
      'This authorization was used or cancelled before: it paid another order, is on its way back, or never will pay. Sign another one.',
    field,
  })
}

async function nextAttempt(tx: Tx, orderId: string): Promise<number> {
  const { last } = await tx
    .selectFrom('market.authorizations')
    .select((row) => row.fn.coalesce(row.fn.max('attempt'), sql<number>`0`).as('last'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return last + 1
}

async function insertClaim(
  tx: Tx,
  orderId: string,
  attempt: number,
  authorization: SignedAuthorization,
): Promise<boolean> {
  const signed = {
    state: 'pending' as const,
    amount_micros: authorization.value,
    valid_after: new Date(Number(authorization.validAfter) * 1000),
    valid_before: new Date(Number(authorization.validBefore) * 1000),
    signature: authorization.signature,
    attempt,
    failure: null,
  }
  const claimed = await tx
    .insertInto('market.authorizations')
    .values({
      id: uuidv7(),
      order_id: orderId,
      payer: authorization.from.toLowerCase(),
      nonce: authorization.nonce,
      ...signed,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['payer', 'nonce'])
        .doUpdateSet(signed)
        .where('market.authorizations.order_id', '=', orderId)
        .where('market.authorizations.state', '=', 'failed'),
    )
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}
