import { sql } from 'kysely'
import { canonicalJson, sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import { toMessage } from '../../threads/wire.ts'
import type { DisputeRow } from '../record/find.ts'
import { type Screening, screen } from '../screener/screen.ts'
import type { DisputeFacts } from './disputeFacts.ts'
import { readFacts } from './internal/readFacts.ts'
import { readTexts } from './texts.ts'

/** The frozen record of a dispute. */
export interface DisputeRecord {
  facts: DisputeFacts
  /** The screener's findings in the texts of each side. */
  screening: Screening
  /** SHA-256 of the canonical JSON of the whole record, hex. */
  evidenceSha256: string
  frozenAt: Date
}

/**
 * Freezes the basis of a dispute's decision: the facts, and a list of all statements and actions with their
 * hashes. Order and dispute must be locked. Returns the screener's findings. Throws if it was frozen before.
 */
export async function freezeRecord(tx: Tx, order: OrderRow, dispute: DisputeRow): Promise<Screening> {
  const screening = screen(await readTexts(tx, order, dispute.id))
  const facts = await readFacts(tx, order, dispute)
  const record = canonicalJson({ facts, items: await listItems(tx, order, dispute) })
  await tx
    .insertInto('market.dispute_records')
    .values({
      dispute_id: dispute.id,
      facts: canonicalJson(facts),
      record,
      screening: canonicalJson(screening),
      evidence_sha256: sha256Hex(record),
    })
    .execute()
  return screening
}

/** Returns the frozen record of a dispute. Throws before its evidence has closed. */
export async function readRecord(tx: Tx, disputeId: string): Promise<DisputeRecord> {
  const { facts, screening, evidence_sha256, frozen_at } = await tx
    .selectFrom('market.dispute_records')
    .select(['facts', 'screening', 'evidence_sha256', 'frozen_at'])
    .where('dispute_id', '=', disputeId)
    .executeTakeFirstOrThrow()
  // Only freezeRecord writes it.
  return {
    facts: JSON.parse(facts) as DisputeFacts,
    screening: JSON.parse(screening) as Screening,
    evidenceSha256: evidence_sha256,
    frozenAt: frozen_at,
  }
}

/**
 * Lists every message, upload, file, rejection and statement of a dispute by its name, author, time and
 * SHA-256.
 */
async function listItems(tx: Tx, order: OrderRow, dispute: DisputeRow) {
  const messages = await tx
    .selectFrom('market.messages')
    .selectAll()
    .where('thread_id', '=', order.thread_id)
    .orderBy('id')
    .execute()
  const { rows: others } = await sql<{ name: string; author: string; at: Date; sha256: string }>`
    select 'market:delivery:' || id as name, 'seller' as author, created_at as at, sha256
    from market.deliveries where order_id = ${order.id}
    union all
    select 'market:evidence:' || id, party, created_at, sha256
    from market.evidence_files where dispute_id = ${dispute.id} and stage = 'evidence'
    union all
    select 'rejection:' || number, 'buyer', rejected_at, encode(sha256(convert_to(coalesce(reason, ''), 'UTF8')), 'hex')
    from market.rejections where order_id = ${order.id}
    union all
    select 'statement:' || party, party, created_at,
      encode(sha256(convert_to(jsonb_build_array(what_happened, wanted)::text, 'UTF8')), 'hex')
    from market.dispute_statements where dispute_id = ${dispute.id}
    order by 3, 1`.execute(tx)
  return [
    ...messages.map((message) => ({
      name: urnString('message', message.id),
      author: message.sender_id === order.buyer_id ? 'buyer' : 'seller',
      at: message.created_at.toISOString(),
      sha256: toMessage(message).sha256,
    })),
    ...others.map(({ at, ...item }) => ({ ...item, at: at.toISOString() })),
  ]
}
