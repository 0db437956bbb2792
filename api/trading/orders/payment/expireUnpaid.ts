import { type Selectable, sql } from 'kysely'
import { voidIntents } from '../../../payments/chain/intents.ts'
import { confirmedTime, isProvedUnpaid } from '../../../payments/chain/payments.ts'
import { expireAuthorization, isAdopting } from '../../../payments/escrow/authorizations.ts'
import { untilMs } from '../../../platform/db/clock.ts'
import type { Orders } from '../../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { forEach } from '../../../platform/jobs/each.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { lockOrderRow } from '../record/find.ts'
import { expireOrder } from './internal/expire.ts'

const AT_ONCE = 50

type Unpaid = Pick<Selectable<Orders>, 'id' | 'placed_at' | 'nonce'>

/**
 * Cancels orders that were not paid and no longer can be: the chain's time at confirmed depth is past their
 * offer, and the node knows of no unprocessed payment under their nonces. A payment that was processed and
 * left its order unpaid came from a stranger. If a stored authorization was used, the node must show the
 * transaction that used it, because missing logs prove nothing.
 */
export async function expireUnpaid(services: JobServices): Promise<void> {
  const confirmed = await confirmedTime(services)
  if (!confirmed) return
  for await (const due of unpaidSince(services, confirmed.time)) {
    await forEach(services, 'expiry', due, (order) => expireOne(services, order, confirmed.block))
  }
}

/**
 * Returns the milliseconds until the next offer expires. The chain's time at confirmed depth gets there a
 * little later.
 */
export async function nextExpiryInMs({ db }: JobServices): Promise<number | undefined> {
  const next = await unpaidOrders(db)
    .select(untilMs('valid_before').as('ms'))
    .orderBy('valid_before')
    .limit(1)
    .executeTakeFirst()
  return next?.ms
}

/**
 * Selects orders that wait for a payment. Orders whose payment is being adopted are left out, however long
 * that takes.
 */
function unpaidOrders(db: Db) {
  return db
    .selectFrom('market.orders as unpaid')
    .where('state', '=', 'placed')
    .where(
      sql<boolean>`not exists (select from market.intents
        where order_id = unpaid.id and kind = 'adopt' and closed_at is null)`,
    )
}

/**
 * Yields, in batches, the orders whose offer expired before a time. An order that cannot be decided yet does
 * not block the later ones.
 */
async function* unpaidSince({ db }: JobServices, time: Date): AsyncGenerator<Unpaid[]> {
  let last: Unpaid | undefined
  do {
    const due = unpaidOrders(db)
      .select(['id', 'placed_at', 'nonce'])
      .where('valid_before', '<=', time)
      .orderBy('id')
      .limit(AT_ONCE)
    const piece: Unpaid[] = await (last ? due.where('id', '>', last.id) : due).execute()
    yield piece
    last = piece[AT_ONCE - 1]
  } while (last)
}

async function expireOne(services: JobServices, order: Unpaid, to: bigint): Promise<void> {
  const unpaid = { nonce: order.nonce, filed: await authorizationsOf(services, order), since: order.placed_at }
  if (!(await isProvedUnpaid(services, unpaid, to))) return
  await inTransaction(services.db, 'read write', (tx) => expire(tx, services, order.id))
}

/** The chain's time is past every authorization of the order, so one that has not paid by now never will. */
async function expire(tx: Tx, { log }: JobServices, orderId: string): Promise<void> {
  const order = await lockOrderRow(tx, orderId)
  if (!order || (await isAdopting(tx, orderId))) return
  await expireAuthorization(tx, 'order_id', orderId)
  if (!(await expireOrder(tx, order))) return
  await voidIntents(tx, orderId)
  log.info({ order: orderId }, 'expired')
}

/**
 * Returns the authorizations that payers signed for the order. Clients that draw their own nonces have others
 * than its offer.
 */
function authorizationsOf({ db }: JobServices, order: { id: string }) {
  return db.selectFrom('market.authorizations').select(['payer', 'nonce']).where('order_id', '=', order.id).execute()
}
