import { sql } from 'kysely'
import type { Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { closeIntent, repeatIntent, settleFundingIntents } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { restoredPosting, vanishedPosting } from '../ledger/loss.ts'
import { post } from '../ledger/post.ts'
import { lockOrderRow } from '../orders/find.ts'
import { resumeOrder, suspendOrder } from '../orders/suspend.ts'
import { recordSweepReturned, recordSweepVanished } from '../reserve/record.ts'
import { claimsOf } from './claims.ts'
import { businessKey, type ChainEvent } from './evidence.ts'
import { wishesFor } from './wishes.ts'

/**
 * The chain took back a fact that it had shown at confirmed depth, and that was acted on. The order it paid for is
 * suspended, the loss is booked, and the chain is asked again for what it did at our wish. False when that was done
 * before.
 */
export async function recordVanished(tx: Tx, { chain }: Settings, key: string): Promise<boolean> {
  const fact = await tx
    .updateTable('market.settled_events')
    .set({ vanished_at: sql`market.now()`, times_vanished: sql`times_vanished + 1` })
    .where('key', '=', key)
    .where('vanished_at', 'is', null)
    .returning(['key', 'kind', 'tx_hash', 'times_vanished as times'])
    .executeTakeFirst()
  if (!fact) return false
  const orderId = await orderPaidBy(tx, key)
  if (orderId !== undefined) {
    await lockOrderRow(tx, orderId)
    await suspendOrder(tx, orderId)
  }
  const loss = await vanishedPosting(tx, chain, fact)
  if (loss) await post(tx, loss)
  for (const wish of await wishesFor(tx, key, orderId)) await repeatIntent(tx, wish)
  if (fact.kind === 'outflow') await recordSweepVanished(tx, key.slice('outflow:'.length))
  const details = { tx_hash: fact.tx_hash, times: fact.times }
  await audit(tx, { actor: 'service', action: 'chain.fact_vanished', subject: key, details })
  return true
}

/**
 * A fact that had vanished is at confirmed depth again: what was done at its first coming stands, so nothing is done
 * twice; its loss is made good and its order goes on. False for one that never vanished. Throws when it says something
 * else than it did: somebody must look at it.
 */
export async function recordReturned(tx: Tx, { chain }: Settings, event: ChainEvent): Promise<boolean> {
  const key = businessKey(event)
  const known = await tx
    .selectFrom('market.settled_events')
    .select(['kind', 'times_vanished as times', 'claims'])
    .where('key', '=', key)
    .where('vanished_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!known) return false
  if (known.claims && !isSame(known.claims, claimsOf(event)))
    throw new Error(`${key} came again and is not what it was`)
  await standAt(tx, event)
  const orderId = await orderPaidBy(tx, key)
  if (orderId !== undefined) {
    await lockOrderRow(tx, orderId)
    await settleFundingIntents(tx, orderId)
    await resumeOrder(tx, orderId)
  } else for (const wish of await wishesFor(tx, key, undefined)) await closeIntent(tx, wish, 'settled')
  if (event.kind === 'outflow' && event.nonce) await recordSweepReturned(tx, event.nonce, event.place.txHash)
  const gain = await restoredPosting(tx, chain, { key, ...known })
  if (gain) await post(tx, gain)
  const details = { tx_hash: event.place.txHash, times: known.times }
  await audit(tx, { actor: 'service', action: 'chain.fact_returned', subject: key, details })
  return true
}

/** A fact stands somewhere else than it did: the transaction was mined again, in another block. */
export async function standAt(tx: Tx, event: ChainEvent): Promise<void> {
  const { blockNumber, blockHash, txHash, logIndex } = event.place
  await tx
    .updateTable('market.settled_events')
    .set({ block_number: blockNumber, block_hash: blockHash, tx_hash: txHash, log_index: logIndex, vanished_at: null })
    .where('key', '=', businessKey(event))
    .execute()
}

/** The order whose hold a fact began, if it began one. */
async function orderPaidBy(tx: Tx, key: string): Promise<string | undefined> {
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
  return hold?.order_id
}

function isSame(one: Record<string, unknown>, other: Record<string, string>): boolean {
  const names = Object.keys(other)
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name])
}
