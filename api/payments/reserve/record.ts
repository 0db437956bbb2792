import { sql } from 'kysely'
import type { Reserve } from '../../../protocol/environment/environment.ts'
import type { ChainSettings, Settings } from '../../context.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { OutflowEvent, PaymentEvent, TransferEvent } from '../chain/evidence.ts'
import { closeIntent } from '../chain/intents.ts'
import { balancesOf } from '../ledger/balances.ts'
import { post } from '../ledger/post.ts'
import { refilledPosting, sweptPosting } from '../ledger/reserve.ts'
import { sequenceOf } from './internal/sequence.ts'

// Any constant that no other advisory lock uses.
const COLD_WALLET_LOCK = 4_117_202_983n

/**
 * Records that the hot wallet sent tokens to the cold one under a sweep's nonce, whether or not the request
 * is on file. Returns false, and changes nothing, for any other outflow, including one under a sweep's nonce
 * to another address.
 */
export async function recordSweep(
  tx: Tx,
  { chain, reserve }: Pick<Settings, 'chain' | 'reserve'>,
  event: OutflowEvent,
): Promise<boolean> {
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

/**
 * Records that a reorganisation removed the sweep of a nonce, if it was one: requestSweep requests it again
 * unchanged.
 */
export async function recordSweepVanished(tx: Tx, nonce: string): Promise<void> {
  await tx
    .updateTable('market.sweeps')
    .set({ state: 'failed', reason: 'the chain took it back' })
    .where('nonce', '=', nonce)
    .where('state', '=', 'confirmed')
    .execute()
}

/** Records that a removed sweep is mined again, whether it was requested again or not. */
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
 * Records tokens that came to the hot wallet from the cold one. Returns false, and changes nothing, for any
 * other payment, and for an amount above the cold wallet's balance in the ledger, which is unmatched like a
 * stranger's money.
 */
export async function recordRefill(
  tx: Tx,
  { chain, reserve }: Pick<Settings, 'chain' | 'reserve'>,
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

/**
 * Returns the ledger's balance of the cold wallet: the sum sent to it less the sum it returned; micro-units.
 */
async function coldMicros(tx: Tx, chain: ChainSettings, { coldWallet }: Reserve): Promise<bigint> {
  // Serialises refills: two at once must not both fit within the balance.
  await sql`select pg_advisory_xact_lock(${COLD_WALLET_LOCK})`.execute(tx)
  const balances = await balancesOf(tx, { type: 'address', id: coldWallet.toLowerCase() })
  const kept = balances.find(
    ({ kind, asset }) => kind === 'cold_wallet' && asset.startsWith(`eip155:${chain.chainId}/`),
  )
  return -(kept?.balanceMicros ?? 0n)
}
