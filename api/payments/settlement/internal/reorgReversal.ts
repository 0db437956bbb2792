import { sql } from 'kysely'
import type { Settings } from '../../../context.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { intentsOfFeePayment } from '../../appealFees/find.ts'
import { argumentsOf } from '../../chain/decode.ts'
import { businessKey, type ChainEvent } from '../../chain/evidence.ts'
import { closeFundingIntents, closeIntent, repeatIntent } from '../../chain/intents.ts'
import { forgetCheckpoints } from '../../chain/progress.ts'
import { FundingRestored, FundingReversed } from '../../escrow/announcements.ts'
import { lockOrderRow, type OrderRow } from '../../escrow/queries.ts'
import { restoredPosting, vanishedPosting } from '../../ledger/loss.ts'
import { post } from '../../ledger/post.ts'
import { recordSweepReturned, recordSweepVanished } from '../../reserve/record.ts'

/**
 * A reorganisation removed a processed event that had been at confirmed depth: announces FundingReversed if
 * it had paid an order, posts the loss, and repeats the intents that the event had fulfilled. Returns false
 * if that was already done.
 */
export async function reverseEvent(tx: Tx, settings: Settings, key: string): Promise<boolean> {
  await forgetCheckpointsAbove(tx, key)
  const removed = await tx
    .updateTable('market.processed_chain_events')
    .set({ vanished_at: sql`market.now()`, times_vanished: sql`times_vanished + 1` })
    .where('key', '=', key)
    .where('vanished_at', 'is', null)
    .returning(['key', 'kind', 'tx_hash', 'times_vanished as times'])
    .executeTakeFirst()
  if (!removed) return false
  const order = await lockPaidBy(tx, key)
  if (order) await announce(tx, settings, FundingReversed, { order })
  const loss = await vanishedPosting(tx, settings.chain, removed)
  if (loss) await post(tx, loss)
  for (const intentKey of await fulfilledIntentKeys(tx, key, order?.id)) await repeatIntent(tx, intentKey)
  if (removed.kind === 'outflow') await recordSweepVanished(tx, key.slice('outflow:'.length))
  const details = { tx_hash: removed.tx_hash, times: removed.times }
  await audit(tx, { actor: 'service', action: 'chain.fact_vanished', subject: key, details })
  return true
}

/**
 * An event that a reorganisation had removed is at confirmed depth again: reverses the loss, closes the
 * repeated intents, and announces FundingRestored if the event had paid an order. Nothing is processed twice.
 * Returns false for an event that was not removed. Throws if the event differs from the one processed first:
 * an operator must investigate.
 */
export async function restoreEvent(tx: Tx, settings: Settings, event: ChainEvent): Promise<boolean> {
  const key = businessKey(event)
  const known = await tx
    .selectFrom('market.processed_chain_events')
    .select(['kind', 'times_vanished as times', 'event_arguments'])
    .where('key', '=', key)
    .where('vanished_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!known) return false
  if (known.event_arguments && !isSame(known.event_arguments, argumentsOf(event)))
    throw new Error(`${key} came again and is not what it was`)
  await moveEvent(tx, event)
  const order = await lockPaidBy(tx, key)
  if (order) {
    await closeFundingIntents(tx, order.id)
    await announce(tx, settings, FundingRestored, { order })
  } else
    for (const intentKey of await fulfilledIntentKeys(tx, key, undefined)) await closeIntent(tx, intentKey, 'settled')
  if (event.kind === 'outflow' && event.nonce) await recordSweepReturned(tx, event.nonce, event.place.txHash)
  const gain = await restoredPosting(tx, settings.chain, { key, ...known })
  if (gain) await post(tx, gain)
  const details = { tx_hash: event.place.txHash, times: known.times }
  await audit(tx, { actor: 'service', action: 'chain.fact_returned', subject: key, details })
  return true
}

/** Records the block that an event is in now: its transaction was mined again, in another block. */
export async function moveEvent(tx: Tx, event: ChainEvent): Promise<void> {
  const { blockNumber, blockHash, txHash, logIndex } = event.place
  await tx
    .updateTable('market.processed_chain_events')
    .set({ block_number: blockNumber, block_hash: blockHash, tx_hash: txHash, log_index: logIndex, vanished_at: null })
    .where('key', '=', businessKey(event))
    .execute()
}

/** A removed event may be mined again, so no sweep may begin above it. */
async function forgetCheckpointsAbove(tx: Tx, key: string): Promise<void> {
  const event = tx.selectFrom('market.processed_chain_events').select('block_number').where('key', '=', key)
  const block = (await event.executeTakeFirst())?.block_number
  if (block !== undefined) await forgetCheckpoints(tx, block)
}

/** Returns the order whose hold an event opened, locked. Undefined for an event that opened none. */
async function lockPaidBy(tx: Tx, key: string): Promise<OrderRow | undefined> {
  const [kind, first = '', nonce = ''] = key.split(':')
  const holds = tx.selectFrom('market.holds').select('order_id')
  const hold =
    kind === 'funded'
      ? await holds.where('hold_key', '=', first).executeTakeFirst()
      : kind === 'payment'
        ? await holds
            .where('payer', '=', first)
            .where('deposit_nonce', '=', nonce)
            .where('hold_key', 'is', null)
            .executeTakeFirst()
        : undefined
  return hold && lockOrderRow(tx, hold.order_id)
}

function isSame(one: Record<string, unknown>, other: Record<string, string>): boolean {
  const names = Object.keys(other)
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name])
}

/**
 * Returns the keys of the intents that a chain event fulfilled. Empty if the event had no intent of ours.
 * `orderId` names the order whose hold the event opened, if it opened one.
 */
async function fulfilledIntentKeys(tx: Tx, key: string, orderId: string | undefined): Promise<string[]> {
  if (orderId !== undefined) return fundingIntents(tx, orderId)
  const kind = key.slice(0, key.indexOf(':'))
  const name = key.slice(kind.length + 1)
  switch (kind) {
    case 'released':
      return releaseIntent(tx, name)
    case 'outflow':
      return payoutIntent(tx, name)
    case 'payment': {
      const [payer = '', nonce = ''] = name.split(':')
      return intentsOfFeePayment(tx, payer, nonce)
    }
    case 'stray_returned':
      return [`return_stray:payment:${name}`]
    default:
      return []
  }
}

/** Returns the intents that paid the order: those of the authorization that its hold came from. */
async function fundingIntents(tx: Tx, orderId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct intent.key
    from market.intents intent join market.holds hold on hold.order_id = intent.order_id
    where intent.order_id = ${orderId} and intent.kind in ('fund', 'deposit', 'adopt') and intent.closing = 'settled'
      and coalesce(intent.payload->'authorization'->>'nonce', intent.payload->'payment'->>'nonce') = hold.deposit_nonce
      and lower(coalesce(intent.payload->'authorization'->>'from', intent.payload->'payment'->>'from')) = hold.payer
    `.execute(tx)
  return rows.map(({ key }) => key)
}

async function releaseIntent(tx: Tx, holdId: string): Promise<string[]> {
  const hold = await tx.selectFrom('market.holds').select('order_id').where('hold_key', '=', holdId).executeTakeFirst()
  return [hold ? `release:${hold.order_id}` : `release:funded:${holdId}`]
}

async function payoutIntent(tx: Tx, nonce: string): Promise<string[]> {
  const payout = await tx.selectFrom('market.payouts').select('id').where('nonce', '=', nonce).executeTakeFirst()
  return payout ? [`payout:${payout.id}`] : []
}
