import { sql } from 'kysely'
import type { Reserve } from '../../protocol/environment.ts'
import type { ChainSettings, Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { closeIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import type { OutflowEvent, PaymentEvent, TransferEvent } from '../escrow/evidence.ts'
import { balancesOf } from '../ledger/balances.ts'
import { post } from '../ledger/post.ts'
import { refilledPosting, sweptPosting } from '../ledger/reserve.ts'
import { sequenceOf } from './sequence.ts'

/**
 * The hot wallet sent tokens to the cold one under a sweep's nonce, whatever we know of having asked for it. False, and
 * nothing done, for any other outflow: one under a sweep's nonce to somebody else included.
 */
export async function recordSweep(tx: Tx, { chain, reserve }: Settings, event: OutflowEvent): Promise<boolean> {
  if (!reserve || event.nonce === null || event.to !== reserve.coldWallet.toLowerCase()) return false
  const sequence = await sequenceOf(tx, chain, event.nonce)
  if (sequence === undefined) return false
  const made = {
    state: 'confirmed',
    amount_micros: event.amountMicros,
    tx_hash: event.place.txHash,
    confirmed_at: sql<Date>`market.now()`,
  } as const
  await tx
    .insertInto('market.sweeps')
    .values({ sequence, nonce: event.nonce, ...made })
    .onConflict((conflict) => conflict.column('sequence').doUpdateSet(made))
    .execute()
  await post(tx, sweptPosting(chain, reserve, event, sequence))
  await closeIntent(tx, `sweep:${sequence}`, 'settled')
  const details = { tx_hash: event.place.txHash, amount_micros: event.amountMicros.toString() }
  await audit(tx, { actor: 'service', action: 'sweep.confirmed', subject: `sweep:${sequence}`, details })
  return true
}

/** The chain took back the sweep of a nonce, if it was one: it is asked for again, as it was (requestSweep). */
export async function recordSweepVanished(tx: Tx, nonce: string): Promise<void> {
  await tx
    .updateTable('market.sweeps')
    .set({ state: 'failed', reason: 'the chain took it back' })
    .where('nonce', '=', nonce)
    .where('state', '=', 'confirmed')
    .execute()
}

/** A sweep that the chain had taken back is there again, whether it was asked for again or not. */
export async function recordSweepReturned(tx: Tx, nonce: string, txHash: string): Promise<void> {
  const returned = await tx
    .updateTable('market.sweeps')
    .set({ state: 'confirmed', tx_hash: txHash })
    .where('nonce', '=', nonce)
    .returning('sequence')
    .executeTakeFirst()
  if (returned) await closeIntent(tx, `sweep:${returned.sequence}`, 'settled')
}

/**
 * Tokens came to the hot wallet from the cold one: what was swept comes back. False, and nothing done, for anything else,
 * and for more than the cold wallet was ever sent, which is stray as others' money is.
 */
export async function recordRefill(
  tx: Tx,
  { chain, reserve }: Settings,
  event: PaymentEvent | TransferEvent,
): Promise<boolean> {
  if (!reserve || event.to !== chain.hotWallet.toLowerCase()) return false
  if (event.from !== reserve.coldWallet.toLowerCase()) return false
  if ((await coldMicros(tx, chain, reserve)) < event.amountMicros) return false
  await post(tx, refilledPosting(chain, reserve, event))
  const details = { tx_hash: event.place.txHash, amount_micros: event.amountMicros.toString() }
  await audit(tx, { actor: 'service', action: 'hot_wallet.refilled', subject: event.from, details })
  return true
}

/** What the cold wallet was sent and has not given back, by our books; micro-units. */
async function coldMicros(tx: Tx, chain: ChainSettings, { coldWallet }: Reserve): Promise<bigint> {
  const owner = coldWallet.toLowerCase()
  // Two that come back at once must not both be within it.
  await sql`select id from ledger.accounts where owner = ${owner} and kind = 'cold_wallet' for no key update`.execute(
    tx,
  )
  const balances = await balancesOf(tx, owner)
  const kept = balances.find(
    ({ kind, asset }) => kind === 'cold_wallet' && asset.startsWith(`eip155:${chain.chainId}/`),
  )
  return -(kept?.balanceMicros ?? 0n)
}
