import { type Selectable, sql } from 'kysely'
import { type ReleaseEvidence, releaseEvidence } from '../../../protocol/payments/intents.ts'
import type { Split } from '../../../protocol/payments/split.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'

/** An order's hold, as stored. */
export type HoldRow = Selectable<Database['market.holds']>

/** Returns the hold of an order, locked. The order must be locked first. Throws if it was never paid. */
export async function lockHold(tx: Tx, orderId: string): Promise<HoldRow> {
  return tx
    .selectFrom('market.holds')
    .selectAll()
    .where('order_id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new Error(`order ${orderId} has no hold`))
}

/**
 * Moves a hold from held to released, with its distribution and the transaction that made it on chain, or the
 * evidence that it is authorized. Throws if the hold was already released.
 */
export async function releaseHold(
  tx: Tx,
  hold: HoldRow,
  split: Split,
  { releaseTx = null, evidence }: { releaseTx?: string | null; evidence?: ReleaseEvidence | undefined } = {},
): Promise<void> {
  await tx
    .updateTable('market.holds')
    .set({
      status: 'released',
      released_payer_micros: split.payerMicros,
      released_payee_micros: split.payeeMicros,
      released_fee_micros: split.feeMicros,
      release_tx: releaseTx,
      ...(evidence ? { release_evidence: storeEvidence(evidence) } : {}),
      settled_at: releaseTx === null ? null : sql<Date>`market.now()`,
    })
    .where('id', '=', hold.id)
    .where('status', '=', 'held')
    .returning('id')
    .executeTakeFirstOrThrow(() => new Error(`hold ${hold.id} was released before`))
}

/**
 * Records the evidence that a distribution of a hold is authorized, and replaces the evidence for another
 * one.
 */
export async function keepEvidence(tx: Tx, { id }: HoldRow, evidence: ReleaseEvidence): Promise<void> {
  await tx
    .updateTable('market.holds')
    .set({ release_evidence: storeEvidence(evidence) })
    .where('id', '=', id)
    .execute()
}

/** Returns the evidence for this distribution of a hold, if any is on file. */
export function readEvidence({
  release_evidence: stored,
}: Pick<HoldRow, 'release_evidence'>): ReleaseEvidence | undefined {
  return stored === null ? undefined : releaseEvidence.parse(stored)
}

function storeEvidence(evidence: ReleaseEvidence): string {
  return JSON.stringify(evidence, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}
