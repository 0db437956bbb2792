import { type Selectable, sql } from 'kysely'
import type { ReleaseEvidence } from '../../../protocol/intents.ts'
import type { Split } from '../../../protocol/split.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Database } from '../../platform/db/schema.ts'

/** A payable's hold, as stored. */
export type HoldRow = Selectable<Database['market.holds']>

/** Returns the hold of a payable, locked. The payable must be locked first. Throws if it was never paid. */
export async function lockHold(tx: Tx, payableId: string): Promise<HoldRow> {
  return tx
    .selectFrom('market.holds')
    .selectAll()
    .where('order_id', '=', payableId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new Error(`payable ${payableId} has no hold`))
}

/**
 * Moves a hold from held to released, with its distribution and, if the chain has made it, the transaction that did, or what shows
 * that it was wanted. Throws if the hold was already released.
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
      release_evidence: evidence ? storeEvidence(evidence) : null,
      settled_at: releaseTx === null ? null : sql<Date>`market.now()`,
    })
    .where('id', '=', hold.id)
    .where('status', '=', 'held')
    .returning('id')
    .executeTakeFirstOrThrow(() => new Error(`hold ${hold.id} was released before`))
}

function storeEvidence(evidence: ReleaseEvidence): string {
  return JSON.stringify(evidence, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}
