import { sql } from 'kysely'
import type { Reserve } from '../../../protocol/environment/environment.ts'
import { sweepNonce } from '../../../protocol/payments/nonces.ts'
import type { ChainSettings, Settings } from '../../context.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { closeIntent, requestIntent } from '../chain/intents.ts'
import { newestSequence } from './internal/sequence.ts'

/** A surplus below this fraction of the ceiling is not worth a transaction. */
const LEAST_PART = 10n
const LONGEST_PAUSE_SECONDS = 300

/**
 * Returns how much a sweep could take: the balance above the ceiling and above the due payouts; micro-units.
 */
export function surplusMicros({ ceilingMicros }: Reserve, balanceMicros: bigint, dueMicros: bigint): bigint {
  const keptMicros = dueMicros > ceilingMicros ? dueMicros : ceilingMicros
  const surplus = balanceMicros - keptMicros
  return surplus > 0n && surplus >= ceilingMicros / LEAST_PART ? surplus : 0n
}

/**
 * Requests a sweep of the surplus, unless one is in flight: under the next number, or the number of a failed
 * one, after a delay that doubles. A sweep that a reorganisation removed is requested again unchanged once
 * the surplus covers it: the first may be mined again, and only one of a number ever is. Returns false if
 * nothing was requested.
 */
export async function requestSweep(
  tx: Tx,
  { chain }: Pick<Settings, 'chain'>,
  surplusMicros: bigint,
): Promise<boolean> {
  const open = await tx
    .selectFrom('market.sweeps')
    .selectAll()
    .where('state', '<>', 'confirmed')
    .orderBy('sequence')
    .forNoKeyUpdate()
    .execute()
  if (open.some(({ state }) => state === 'requested')) return false
  const [first] = open
  const amountMicros = first?.tx_hash ? first.amount_micros : surplusMicros
  if (amountMicros > surplusMicros) return false
  const asked = first ? await retry(tx, first, amountMicros) : await begin(tx, chain, amountMicros)
  if (!asked) return false
  const { sequence, attempt } = asked
  await requestIntent(
    tx,
    { key: `sweep:${sequence}`, attempt, orderId: null },
    { kind: 'sweep', sequence, amount: amountMicros },
  )
  const details = { amount_micros: amountMicros.toString(), attempt }
  await audit(tx, { actor: 'service', action: 'sweep.requested', subject: `sweep:${sequence}`, details })
  return true
}

/**
 * Records that a sweep's intent was given up without effect on the chain: it is requested again, under its
 * number.
 */
export async function failSweep(tx: Tx, sequence: bigint, reason: string): Promise<void> {
  await closeIntent(tx, `sweep:${sequence}`, 'failed')
  await tx
    .updateTable('market.sweeps')
    .set({ state: 'failed', reason })
    .where('sequence', '=', sequence)
    .where('state', '=', 'requested')
    .execute()
}

interface Asked {
  sequence: bigint
  attempt: number
}

async function begin(tx: Tx, chain: ChainSettings, amountMicros: bigint): Promise<Asked | undefined> {
  const sequence = (await newestSequence(tx)) + 1n
  const row = { sequence, nonce: sweepNonce(chain, sequence), state: 'requested', amount_micros: amountMicros } as const
  return (
    tx
      .insertInto('market.sweeps')
      .values(row)
      // Another worker inserted it first.
      .onConflict((conflict) => conflict.doNothing())
      .returning(['sequence', 'attempt'])
      .executeTakeFirst()
  )
}

async function retry(tx: Tx, { sequence, attempt }: Asked, amountMicros: bigint): Promise<Asked | undefined> {
  const pauseSeconds = Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS)
  return tx
    .updateTable('market.sweeps')
    .set({
      state: 'requested',
      amount_micros: amountMicros,
      attempt: attempt + 1,
      requested_at: sql`market.now()`,
    })
    .where('sequence', '=', sequence)
    .where(sql<boolean>`requested_at <= market.now() - make_interval(secs => ${pauseSeconds})`)
    .returning(['sequence', 'attempt'])
    .executeTakeFirst()
}
