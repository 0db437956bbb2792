import type { Selectable } from 'kysely'
import type { Database, DisputeOutcome } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Amendment, type Baseline, readAmendments, readBaseline } from '../../orders/record/baseline.ts'
import type { OrderRow } from '../../orders/record/find.ts'

/** The stored data that a receipt is built from. */
export interface ReceiptInput {
  receiptId: string
  order: OrderRow
  hold: Selectable<Database['market.holds']>
  disputed: boolean
  /** How the dispute ended, and the verdict that stands, if there is one. */
  dispute: { outcome: DisputeOutcome | null; verdict_id: string | null } | undefined
  /** The baseline for the delivery before the changes of scope. */
  baseline: Baseline
  /** The changes of scope that both parties agreed to. */
  amendments: readonly Amendment[]
  /** SHA-256 of the last delivery's output, hex; null if nothing was delivered. */
  outputHash: string | null
  /** The seller's wallet that each signature of a settlement of the order names; null if it names none. */
  namedPayees: ReadonlyMap<string, string | null>
}

/** Reads the data that the receipt of a funded order is built from. Throws if the order was never funded. */
export async function readReceiptInput(tx: Tx, order: OrderRow): Promise<ReceiptInput> {
  const { id: orderId } = order
  const hold = await tx.selectFrom('market.holds').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()
  const baseline = await readBaseline(tx, order)
  const receipt = await tx
    .selectFrom('market.receipts')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const outputHash = order.thread_id === null ? null : await lastOutputHash(tx, order.thread_id)
  const amendments = await readAmendments(tx, orderId)
  const dispute = order.dispute_id === null ? undefined : await readDispute(tx, order.dispute_id)
  const approvals = await tx
    .selectFrom('market.settlement_approvals')
    .select(['signature', 'payee'])
    .where('order_id', '=', orderId)
    .execute()
  const namedPayees = new Map(approvals.map(({ signature, payee }) => [signature, payee]))
  const { id: receiptId, disputed } = receipt
  return { receiptId, disputed, dispute, order, hold, baseline, amendments, outputHash, namedPayees }
}

async function readDispute(tx: Tx, disputeId: string) {
  return tx
    .selectFrom('market.disputes as dispute')
    .leftJoin('market.verdicts as verdict', 'verdict.dispute_id', 'dispute.id')
    .select(['dispute.outcome', 'verdict.id as verdict_id'])
    .where('dispute.id', '=', disputeId)
    .orderBy('verdict.sequence', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

async function lastOutputHash(tx: Tx, threadId: string): Promise<string | null> {
  const notice = await tx
    .selectFrom('market.messages')
    .select('payload')
    .where('thread_id', '=', threadId)
    .where('kind', '=', 'delivery_notice')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const hash = notice?.payload?.output_hash
  return typeof hash === 'string' ? hash : null
}
