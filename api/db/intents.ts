import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type IntentPayload, storeIntent } from '../../protocol/intents.ts'
import type { Tx } from './pool.ts'
import { unreadStatement } from './statement.ts'

/** How a wish ended: the chain did it, refused it for good, or it is not wanted any more. */
export type Closing = 'settled' | 'failed' | 'voided'

const insertIntent = unreadStatement(`
  insert into market.intents (id, key, kind, order_id, owner_id, payload) values ($1, $2, $3, $4, $5, $6)
  on conflict (key) do nothing`)
const voidOpen = unreadStatement(`
  update market.intents set closed_at = market.now(), closing = 'voided'
  where order_id = $1 and kind <> 'payout' and closed_at is null`)

/**
 * Asks the chain for something, once: a second intent under the same key changes nothing. What an owner pays in counts
 * against their day's gas; what is owed to somebody names no owner.
 */
export async function requestIntent(
  tx: Tx,
  key: string,
  orderId: string | null,
  payload: IntentPayload,
  ownerId: string | null = null,
): Promise<void> {
  const stored = JSON.stringify(storeIntent(payload))
  await insertIntent(tx, [uuidv7(), key, payload.kind, orderId, ownerId, stored])
}

/** Closes one intent, whichever attempt at it is open. */
export async function closeIntent(tx: Tx, key: string, closing: Closing): Promise<void> {
  await sql`update market.intents set closed_at = market.now(), closing = ${closing}
    where closed_at is null and (key = ${key} or starts_with(key, ${`${key}#`}))`.execute(tx)
}

/** Closes every intent to get an order paid, because it is. */
export async function settleFundingIntents(tx: Tx, orderId: string): Promise<void> {
  await sql`update market.intents set closed_at = market.now(), closing = 'settled'
    where order_id = ${orderId} and kind in ('fund', 'deposit', 'adopt') and closed_at is null`.execute(tx)
}

/**
 * Voids whatever an order still wants from the chain: called when a chain outcome has ended it. A payout goes on: it is
 * owed for its deposit, which may be a stranger's that only named the order.
 */
export async function voidIntents(tx: Tx, orderId: string): Promise<void> {
  await voidOpen(tx, [orderId])
}

/**
 * Asks again for what the chain did once and has lost, under the intent's key with the attempt's number after it.
 * Nothing is asked where it was not fulfilled before, or an attempt is open: that it is repeated does no harm on chain.
 */
export async function repeatIntent(tx: Tx, key: string): Promise<void> {
  await sql`
    insert into market.intents (id, key, kind, order_id, payload)
    select ${uuidv7()}, ${key} || '#' || (
        select max(coalesce(nullif(split_part(attempt.key, '#', 2), ''), '1')::integer) + 1 from market.intents attempt
        where attempt.key = ${key} or starts_with(attempt.key, ${`${key}#`})),
      last.kind, last.order_id, last.payload
    from market.intents last
    where (last.key = ${key} or starts_with(last.key, ${`${key}#`})) and last.closing = 'settled'
      and not exists (select from market.intents open
        where (open.key = ${key} or starts_with(open.key, ${`${key}#`})) and open.closed_at is null)
    order by last.id desc limit 1`.execute(tx)
}

/**
 * Closes an open intent as failed and asks for the same again, under its key with the attempt's number after it.
 * False when it was closed by somebody else: then nothing is asked.
 */
export async function retryIntent(tx: Tx, intentId: string): Promise<boolean> {
  const failed = await tx
    .updateTable('market.intents')
    .set({ closed_at: sql`market.now()`, closing: 'failed' })
    .where('id', '=', intentId)
    .where('closed_at', 'is', null)
    .returning(['key', 'kind', 'order_id', 'owner_id', 'payload'])
    .executeTakeFirst()
  if (!failed) return false
  const [base, attempt = '1'] = failed.key.split('#')
  await tx
    .insertInto('market.intents')
    .values({
      id: uuidv7(),
      key: `${base}#${Number(attempt) + 1}`,
      kind: failed.kind,
      order_id: failed.order_id,
      owner_id: failed.owner_id,
      payload: JSON.stringify(failed.payload),
      closing: null,
    })
    .execute()
  return true
}
