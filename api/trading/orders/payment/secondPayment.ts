import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Placement } from '../placement/place.ts'
import { requestHash } from '../placement/request.ts'

const EQUAL_FOR_SECONDS = 600

/**
 * Throws 409 with the order that this agent paid in the last ten minutes by an equal placement, unless that
 * payment failed: the answer to it was lost, and a client without a key placed and signed once more. Two such
 * payments at once wait for each other.
 */
export async function refuseSecondPayment(
  tx: Tx,
  { actor, settings }: AgentCall,
  placement: Placement,
  orderId: string,
): Promise<void> {
  const hash = requestHash(placement)
  const name = `equal payments ${actor.agentId} ${hash.toString('hex')}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  // An order was placed, or updated, at most a payment window before its payment.
  const { rows } = await sql<{ id: string }>`
    select equal.id from market.orders equal join market.authorizations payment on payment.order_id = equal.id
    where equal.buyer_id = ${actor.agentId} and equal.request_hash = ${hash} and equal.id <> ${orderId}
      and equal.updated_at > market.now() - make_interval(secs => ${EQUAL_FOR_SECONDS + settings.rules.paymentWindowSeconds})
      and payment.state <> 'failed' and payment.created_at > market.now() - make_interval(secs => ${EQUAL_FOR_SECONDS})
    order by payment.created_at desc limit 1`.execute(tx)
  const [equal] = rows
  if (!equal) return
  throw new Problem('orders/equal-order-paid', {
    detail: `You paid for an equal order, ${urnString('order', equal.id)}, in the last ten minutes. Read it before you pay again; to pay for another one, repeat the call with "again": true, or send an Idempotency-Key.`,
    orderId: equal.id,
  })
}
