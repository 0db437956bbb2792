import { type Selectable, sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { voidIntents } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import type { Orders } from '../db/schema/orders.ts'
import { inTransaction } from '../db/transaction.ts'
import { failAuthorizations, isAdopting } from '../escrow/authorizations.ts'
import { expireOrder } from '../orders/expire.ts'
import { lockOrderRow } from '../orders/find.ts'
import { forEach } from './each.ts'
import { confirmedBlock } from './head.ts'
import { agreed } from './nodes.ts'
import { isSettled, paymentsSeen, requireUseShown } from './payments.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 50

type Unpaid = Pick<Selectable<Orders>, 'id' | 'placed_at' | 'nonce'>

/**
 * Cancels orders that were not paid and cannot be any more: the chain's own time at confirmed depth is past their offer,
 * and the node knows of no payment under their nonces that is still to be acted on. Whatever has been acted on and left
 * its order unpaid was a stranger's. Where an authorization on file is spent, the node must show what spent it: logs that
 * are missing prove nothing.
 */
export async function expireUnpaid(services: JobServices): Promise<void> {
  const to = await confirmedBlock(services)
  if (to === undefined) return
  const timestamp = await agreed(services, `the time of block ${to}`, async (node) => {
    return (await node.getBlock({ blockNumber: to })).timestamp
  })
  for await (const due of unpaidSince(services, new Date(Number(timestamp) * 1000))) {
    await forEach(services, 'expiry', due, (order) => expireOne(services, order, to))
  }
}

/** Orders whose offer was over by a time, in pieces. One that cannot be decided yet holds up none of those behind it. */
async function* unpaidSince({ db }: JobServices, time: Date): AsyncGenerator<Unpaid[]> {
  let last: Unpaid | undefined
  do {
    const due = db
      .selectFrom('market.orders as unpaid')
      .select(['id', 'placed_at', 'nonce'])
      .where('state', '=', 'placed')
      .where('valid_before', '<=', time)
      // Those wait, for as long as it takes.
      .where(
        sql<boolean>`not exists (select from market.intents
          where order_id = unpaid.id and kind = 'adopt' and closed_at is null)`,
      )
      .orderBy('id')
      .limit(AT_ONCE)
    const piece: Unpaid[] = await (last ? due.where('id', '>', last.id) : due).execute()
    yield piece
    last = piece[AT_ONCE - 1]
  } while (last)
}

async function expireOne(services: JobServices, order: Unpaid, to: bigint): Promise<void> {
  const filed = await authorizationsOf(services, order)
  const nonces = [...new Set([order.nonce as Hex, ...filed.map(({ nonce }) => nonce)])]
  const range = { since: order.placed_at, to }
  const payments = await paymentsSeen(services, nonces, range)
  for (const payment of payments) if (!(await isSettled(services, payment))) return
  for (const authorization of filed) await requireUseShown(services, authorization, to)
  await inTransaction(services.db, 'read write', (tx) => expire(tx, services, order.id))
}

/** The chain's time is past every authorization of the order, so what did not pay by now never will. */
async function expire(tx: Tx, { log }: JobServices, orderId: string): Promise<void> {
  await lockOrderRow(tx, orderId)
  if (await isAdopting(tx, orderId)) return
  await failAuthorizations(tx, orderId)
  if (!(await expireOrder(tx, orderId))) return
  await voidIntents(tx, orderId)
  log.info({ order: orderId }, 'expired')
}

/** What payers have signed for the order. Those that drew their nonces themselves have others than its offer. */
async function authorizationsOf({ db }: JobServices, order: { id: string }): Promise<{ from: Address; nonce: Hex }[]> {
  const filed = await db
    .selectFrom('market.authorizations')
    .select(['payer', 'nonce'])
    .where('order_id', '=', order.id)
    .execute()
  return filed.map(({ payer, nonce }) => ({ from: payer as Address, nonce: nonce as Hex }))
}
