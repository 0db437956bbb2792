import { type RawBuilder, sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { type IntentPayload, storeIntent } from '../../../protocol/payments/intents.ts'
import { currentTraceparent } from '../../../protocol/telemetry/trace.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'

/** Why an intent was closed: the chain fulfilled it, it can never be fulfilled, or it is no longer wanted. */
export type Closing = 'settled' | 'failed' | 'voided'

/** The key of an intent and its purpose. */
export interface IntentName {
  key: string
  /** Counts from 1. Each attempt under a key is requested once. */
  attempt?: number
  orderId: string | null
  /**
   * The owner of the paying agent, whose daily gas allowance is charged. Undefined for an intent that pays a
   * debt of ours.
   */
  ownerId?: string
}

/**
 * Requests a transaction of the facilitator. Idempotent: the same content under the same key and attempt
 * changes nothing. Throws if the stored intent under them has different content, since the caller's would be
 * lost.
 */
export async function requestIntent(
  tx: Tx,
  { key, attempt = 1, orderId, ownerId }: IntentName,
  payload: IntentPayload,
): Promise<void> {
  const content = JSON.stringify(storeIntent(payload))
  const { rows } = await sql`
    insert into market.intents (id, key, attempt, kind, order_id, owner_id, payload, traceparent)
    values (${newId()}, ${key}, ${attempt}, ${payload.kind}, ${orderId}, ${ownerId ?? null}, ${content}, ${currentTraceparent()})
    on conflict (key, attempt) do nothing returning id`.execute(tx)
  if (rows.length === 0) await requireSame(tx, { key, attempt, orderId }, content)
}

/** Reads after the INSERT, which waits for any concurrent transaction with the same request. */
async function requireSame(
  tx: Tx,
  { key, attempt, orderId }: IntentName & { attempt: number },
  content: string,
): Promise<void> {
  const { rows } = await sql`
    select from market.intents where key = ${key} and attempt = ${attempt}
      and order_id is not distinct from ${orderId}::uuid and payload = ${content}::jsonb`.execute(tx)
  if (rows.length === 0) throw new Error(`another intent is on file as attempt ${attempt} of ${key}`)
}

/**
 * Returns the traces of the requests that transactions of the facilitator go back to, by the transactions'
 * hashes: what follows on chain is in them too.
 */
export async function tracesOf(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  const { rows } = await sql<{ hash: string; traceparent: string }>`
    select sent.hash, intent.traceparent from facilitator.transactions sent
    join market.intents intent on intent.id = sent.intent_id
    where sent.hash = any (${hashes}::text[]) and intent.traceparent is not null`.execute(db)
  return new Map(rows.map(({ hash, traceparent }) => [hash, traceparent]))
}

/** Closes the open attempts under a key. */
export async function closeIntent(tx: Tx, key: string, closing: Closing): Promise<void> {
  await closeOpen(tx, sql<boolean>`key = ${key}`, closing)
}

/** Closes open intents, including intents that other transactions are requesting to replace failed ones. */
async function closeOpen(tx: Tx, which: RawBuilder<boolean>, closing: Closing): Promise<void> {
  // Waits for `retryIntent`, which holds the failed attempt: the next statement then sees the new one.
  await sql`select from market.intents where ${which} and closed_at is null order by id for no key update`.execute(tx)
  await sql`update market.intents set closed_at = market.now(), closing = ${closing}
    where ${which} and closed_at is null`.execute(tx)
}

/**
 * Returns whether an intent is still open: another worker may have closed it since it was read. The caller
 * must have locked the intent's subject, so that nothing closes the intent meanwhile.
 */
export async function isOpenIntent(tx: Tx, intentId: string): Promise<boolean> {
  const open = tx.selectFrom('market.intents').select('id').where('id', '=', intentId).where('closed_at', 'is', null)
  return (await open.executeTakeFirst()) !== undefined
}

/**
 * Closes one attempt of an intent as failed. Returns false if it was closed before: another worker acted on
 * it.
 */
export async function closeFailedIntent(tx: Tx, intentId: string): Promise<boolean> {
  const { rows } = await sql`update market.intents set closed_at = market.now(), closing = 'failed'
    where id = ${intentId} and closed_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** Closes every intent that was to pay for an order, because the order is paid. */
export async function closeFundingIntents(tx: Tx, orderId: string): Promise<void> {
  await closeOpen(tx, sql<boolean>`order_id = ${orderId} and kind in ('fund', 'deposit', 'adopt')`, 'settled')
}

/**
 * Voids the open intents of an order when a chain outcome has ended it. Payouts stay open: each is owed for
 * its deposit, which may come from a stranger who only named the order.
 */
export async function voidIntents(tx: Tx, orderId: string): Promise<void> {
  await closeOpen(tx, sql<boolean>`order_id = ${orderId} and kind <> 'payout'`, 'voided')
}

/**
 * Requests again a transaction that the chain executed and then lost, as the next attempt under the key.
 * Changes nothing if no attempt was settled, or if one is open. Repeating it on chain does no harm.
 */
export async function repeatIntent(tx: Tx, key: string): Promise<void> {
  await sql`
    insert into market.intents (id, key, attempt, kind, order_id, owner_id, payload, traceparent)
    select ${newId()}, key, (select max(attempt) + 1 from market.intents where key = ${key}), kind, order_id, owner_id,
      payload, traceparent
    from market.intents
    where key = ${key} and closing = 'settled'
      and not exists (select from market.intents where key = ${key} and closed_at is null)
    order by attempt desc limit 1
    on conflict (key, attempt) do nothing`.execute(tx)
}

/**
 * Closes an open intent as failed and requests the same content as the next attempt under its key. Returns
 * false and requests nothing if the intent was already closed.
 */
export async function retryIntent(tx: Tx, intentId: string): Promise<boolean> {
  const { rows } = await sql`
    with failed as (
      update market.intents set closed_at = market.now(), closing = 'failed'
      where id = ${intentId} and closed_at is null returning *
    )
    insert into market.intents (id, key, attempt, kind, order_id, owner_id, payload, traceparent)
    select ${newId()}, key, attempt + 1, kind, order_id, owner_id, payload, traceparent from failed returning id`.execute(
    tx,
  )
  return rows.length > 0
}
