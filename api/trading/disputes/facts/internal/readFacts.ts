import { type RawBuilder, sql } from 'kysely'
import { formatAmount } from '../../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { criteriaSha256 } from '../../../../../protocol/records/baseline.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import { readMeasures } from '../../../criteria/read.ts'
import { byteChecks, type CheckResult } from '../../../criteria/results.ts'
import { readAmendments } from '../../../orders/record/baseline.ts'
import type { OrderRow, Party } from '../../../orders/record/find.ts'
import type { DisputeRow } from '../../record/find.ts'
import type { Ground } from '../../record/grounds.ts'
import type { DeliveryFacts, DisputeFacts } from '../disputeFacts.ts'

/** Computes the facts of a dispute from the rows of its order. Both must be locked. */
export async function readFacts(tx: Tx, order: OrderRow, dispute: DisputeRow): Promise<DisputeFacts> {
  const statements = await tx
    .selectFrom('market.dispute_statements')
    .select(['party', 'grounds', 'refund_micros'])
    .where('dispute_id', '=', dispute.id)
    .execute()
  const of = (side: Party) => statements.find(({ party }) => party === side)
  const rejections = await readRejections(tx, order)
  const isReasoned = rejections.at(-1)?.has_reason ?? false
  return {
    price: formatAmount(order.price_micros),
    opener: dispute.opener,
    // Only verbs store grounds, and they store these.
    grounds: (of('buyer')?.grounds as Ground[] | undefined) ?? (isReasoned ? ['other'] : []),
    requested_refund: amountOrNull(of('buyer')?.refund_micros),
    offered_refund: amountOrNull(of('seller')?.refund_micros),
    sla_seconds: order.sla_seconds,
    criteria: await readCriteria(tx, order),
    deliveries: await readDeliveries(tx, order),
    rejections,
    changes: (await readAmendments(tx, order.id)).map(({ message_id, sha256, accepted_at }) => ({
      message_urn: urnString('message', message_id),
      sha256,
      accepted_at: accepted_at.toISOString(),
    })),
    acts_since_rejection: { buyer: await countActs(tx, order, 'buyer'), seller: await countActs(tx, order, 'seller') },
    late_citations: of('seller')?.grounds.includes('late') ? await readCitations(tx, order) : [],
  }
}

async function readCriteria(tx: Tx, { id }: OrderRow): Promise<DisputeFacts['criteria']> {
  const measure = (await readMeasures(tx, [id])).get(id)
  if (!measure) return null
  return {
    sha256: criteriaSha256(measure),
    is_complete: measure.criteria_complete,
    byte_checks: byteChecks(measure.criteria).length,
    is_deadline_essential: measure.criteria.some(({ check }) => check?.kind === 'deadline'),
  }
}

function amountOrNull(micros: bigint | null | undefined): string | null {
  return micros === null || micros === undefined ? null : formatAmount(micros)
}

async function readRejections(tx: Tx, order: OrderRow): Promise<DisputeFacts['rejections']> {
  const rows = await tx
    .selectFrom('market.rejections')
    .select(['number', 'rejected_at', 'reason'])
    .where('order_id', '=', order.id)
    .orderBy('number')
    .execute()
  return rows.map(({ number, rejected_at, reason }) => ({
    number,
    rejected_at: rejected_at.toISOString(),
    has_reason: reason !== null,
  }))
}

interface NoticeRow {
  number: number
  message_id: string
  output_hash: string
  delivered_at: Date
  sla_due_at: Date
  bytes_at: Date | null
  is_blank: boolean | null
  is_undisclosed: boolean
  results: CheckResult[] | null
}

/**
 * Reads the notices of an order with their bytes: the upload that a notice names, or bytes with the same hash
 * that are evidence, of which those in a file of the buyer's are not checked.
 */
async function readDeliveries(tx: Tx, { id, dispute_id: disputeId }: OrderRow): Promise<DeliveryFacts[]> {
  const { rows } = await sql<NoticeRow>`
    select notice.number, notice.message_id, notice.output_hash, notice.delivered_at, notice.sla_due_at,
      bytes.created_at as bytes_at, bytes.is_blank, bytes.results,
      said.sealed_id is not null and disclosure.message_id is null as is_undisclosed
    from market.delivery_notices notice
      join market.messages said on said.id = notice.message_id
      left join market.disclosures disclosure on disclosure.message_id = notice.message_id
      left join lateral (
        select upload.created_at, upload.is_blank, made.results, 1 as preference
        from market.deliveries upload left join market.delivery_checks made on made.delivery_id = upload.id
        where upload.order_id = notice.order_id and upload.sha256 = notice.output_hash
          and (upload.message_id = notice.message_id or exists (
            select from market.dispute_evidence item where item.delivery_id = upload.id))
        union all
        select file.created_at, file.is_blank, null, 2 from market.evidence_files file
        where file.dispute_id = ${disputeId} and file.stage = 'evidence' and file.sha256 = notice.output_hash
        order by 4, 1 limit 1) bytes on true
    where notice.order_id = ${id} order by notice.number`.execute(tx)
  return rows.map((row, place) => ({
    number: row.number,
    message_urn: urnString('message', row.message_id),
    output_hash: row.output_hash,
    delivered_at: later(row.delivered_at, row.bytes_at).toISOString(),
    due_at: row.sla_due_at.toISOString(),
    has_bytes: row.bytes_at !== null && !row.is_undisclosed,
    is_blank: row.is_blank ?? false,
    checks: row.results ?? [],
    is_repeated: rows.slice(0, place).some(({ output_hash }) => output_hash === row.output_hash),
  }))
}

function later(time: Date, other: Date | null): Date {
  return other !== null && other > time ? other : time
}

/** Reads the messages of the buyer that the seller refers to as evidence. */
async function readCitations(tx: Tx, order: OrderRow): Promise<NonNullable<DisputeFacts['late_citations']>> {
  const rows = await tx
    .selectFrom('market.dispute_evidence as item')
    .innerJoin('market.messages as said', 'said.id', 'item.message_id')
    .select(['said.id', 'said.created_at'])
    .where('item.dispute_id', '=', order.dispute_id)
    .where('item.party', '=', 'seller')
    .where('said.sender_id', '=', order.buyer_id)
    .orderBy('said.id')
    .execute()
  return rows.map(({ id, created_at }) => ({
    message_urn: urnString('message', id),
    sent_at: created_at.toISOString(),
  }))
}

async function countActs(tx: Tx, order: OrderRow, party: Party): Promise<number> {
  const agentId = party === 'buyer' ? order.buyer_id : order.seller_id
  const { rows } = await sql<{ acts: number }>`
    with since as (select max(rejected_at) as time from market.rejections where order_id = ${order.id})
    select (select count(*) from market.messages said, since
        where said.thread_id = ${order.thread_id} and said.sender_id = ${agentId} and said.created_at > since.time)::integer
      + (select count(*) from market.dispute_statements statement
        where statement.dispute_id = ${order.dispute_id} and statement.party = ${party} and statement.party <> (
          select opener from market.disputes where id = ${order.dispute_id}))::integer
      + (select count(*) from market.evidence_files file
        where file.dispute_id = ${order.dispute_id} and file.party = ${party} and file.stage = 'evidence')::integer
      + ${party === 'seller' ? uploads(order) : sql`0`} as acts`.execute(tx)
  return rows[0]?.acts ?? 0
}

function uploads({ id }: OrderRow): RawBuilder<unknown> {
  return sql`(select count(*) from market.deliveries upload, since
    where upload.order_id = ${id} and upload.created_at > since.time)::integer`
}
