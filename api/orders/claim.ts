import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { SignedAuthorization } from '../../protocol/authorization.ts'
import type { IntentPayload } from '../../protocol/intents.ts'
import type { Settings } from '../context.ts'
import { requestIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { hasArrived } from '../escrow/standing.ts'
import { matchWaiting } from '../escrow/waiting.ts'
import type { OrderRow } from './find.ts'
import { payerConflict } from './payer.ts'
import { memberField, type PresentedPayment } from './presented.ts'
import { orderTerms } from './terms.ts'

/**
 * Puts an authorization on file and asks the facilitator to submit it, or takes the payment at once when somebody has
 * submitted it before. (payer, nonce) is claimed for this order for ever; only an attempt of the same order that has
 * failed for good may be replaced. The order's row must be locked.
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
  if (await matchWaiting(tx, settings, order, identity)) return
  if (await hasArrived(tx, identity)) throw spent(memberField(lane, 'nonce'))
  const payload: IntentPayload =
    order.escrow_mode === 'contract'
      ? { kind: 'fund', terms: orderTerms(order), authorization }
      : { kind: 'deposit', authorization }
  await requestIntent(
    tx,
    `${payload.kind}:${order.id}:${attempt}`,
    order.id,
    payload,
    await ownerOf(tx, order.buyer_id),
  )
}

async function ownerOf(tx: Tx, agentId: string): Promise<string> {
  const agent = tx.selectFrom('market.agents').select('owner_id').where('id', '=', agentId)
  return (await agent.executeTakeFirstOrThrow()).owner_id
}

/** Throws orders/payer-conflict when this very payment is on file for another order. */
export async function requireUnclaimed(
  tx: Tx,
  order: OrderRow,
  { lane, authorization }: PresentedPayment,
): Promise<void> {
  const claimed = await tx
    .selectFrom('market.authorizations')
    .select('order_id')
    .where('payer', '=', authorization.from.toLowerCase())
    .where('nonce', '=', authorization.nonce)
    .executeTakeFirst()
  if (claimed && claimed.order_id !== order.id) throw payerConflict(memberField(lane, 'nonce'))
}

function spent(field: string): Problem {
  return new Problem('authorization/spent', {
    detail: 'This very payment was made before: it paid another order, or is on its way back. Sign another one.',
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
