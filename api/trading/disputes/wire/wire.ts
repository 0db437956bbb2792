import type { z } from '@hono/zod-openapi'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { parseUrn, type UrnPrefix, urn } from '../../../../protocol/encoding/urn.ts'
import type { VerdictDocument } from '../../../../protocol/records/verdict.ts'
import type { Settings } from '../../../context.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import { toAppeal } from '../appeals/appealWire.ts'
import { toEvidenceFile } from '../evidence/wire.ts'
import { agentOf } from '../record/find.ts'
import type { Ground } from '../record/grounds.ts'
import type { DisputeParts } from '../record/queries.ts'
import type { disputeRecord, verdictRecord } from '../record/schemas.ts'
import type { VerdictRow } from '../record/verdicts.ts'
import { mayOfAppeal, mayOfDispute } from './internal/may.ts'

/** Returns a dispute in its parties' wire form. */
export function toDispute(
  { chain, rules }: Pick<Settings, 'chain' | 'rules'>,
  parts: DisputeParts,
): z.input<typeof disputeRecord> {
  const { dispute, order, statements, evidence, rejections, verdicts, appeals, evidenceSha256 } = parts
  const opening = statements.find(({ party }) => party === dispute.opener)
  if (!opening) throw new Error(`dispute ${dispute.id} has no statement of its opener`)
  const response = statements.find(({ party }) => party !== dispute.opener)
  const [latest] = verdicts
  return {
    urn: urn('dispute', dispute.id),
    order_urn: urn('order', order.id),
    opener_urn: urn('agent', agentOf(order, dispute.opener)),
    state: dispute.state,
    may: mayOfDispute(parts, rules),
    claim: toStatement(opening),
    ...(response ? { response: toStatement(response) } : {}),
    evidence: evidence.map(({ party, message_id, delivery_id, created_at }) => ({
      party,
      ...(message_id === null ? {} : { message_urn: urn('message', message_id) }),
      ...(delivery_id === null ? {} : { delivery_urn: urn('delivery', delivery_id) }),
      created_at: created_at.toISOString(),
    })),
    rejections: rejections.map(({ number, reason, rejected_at }) => ({
      delivery: number,
      ...present({ reason }),
      rejected_at: rejected_at.toISOString(),
    })),
    ready: { buyer: dispute.buyer_ready_at !== null, seller: dispute.seller_ready_at !== null },
    waived: { buyer: dispute.buyer_waived_at !== null, seller: dispute.seller_waived_at !== null },
    flags: dispute.flags,
    appeals: appeals.map((appeal) => toAppeal(chain, appeal, mayOfAppeal(parts, appeal, rules))),
    appeal_statements: parts.appealStatements.map(({ party, statement, created_at }) => ({
      ...{ party, statement },
      created_at: created_at.toISOString(),
    })),
    files: parts.files.map(toEvidenceFile),
    ...(latest ? { verdict_urn: urn('verdict', latest.id) } : {}),
    verdict_urns: verdicts.map(({ id }) => urn('verdict', id)),
    opened_at: dispute.opened_at.toISOString(),
    ...present({
      due_at: dispute.due_at?.toISOString() ?? null,
      appeal_heard_until: dispute.appeal_heard_until?.toISOString() ?? null,
      evidence_sha256: evidenceSha256,
      outcome: dispute.outcome,
      refund: dispute.refund_micros === null ? null : formatAmount(dispute.refund_micros),
      closed_at: dispute.closed_at?.toISOString() ?? null,
    }),
  }
}

function toStatement({
  party,
  grounds,
  what_happened,
  wanted,
  refund_micros,
  created_at,
}: DisputeParts['statements'][number]) {
  const refund = refund_micros === null ? null : formatAmount(refund_micros)
  return {
    // Only verbs store grounds, and they store these.
    grounds: grounds as Ground[],
    what_happened,
    ...present({ wanted, [party === 'buyer' ? 'requested_refund' : 'offered_refund']: refund }),
    created_at: created_at.toISOString(),
  }
}

/** Returns the document of a verdict, as it was signed. */
export function documentOf({ document }: VerdictRow): VerdictDocument {
  // Only signVerdict writes it.
  return JSON.parse(document) as VerdictDocument
}

/** Returns a verdict in its wire form (spec 2.11). */
export function toVerdict(row: VerdictRow): z.input<typeof verdictRecord> {
  const document = documentOf(row)
  const { winner, remedy, partial_amount_usdc, grounds, confidence, prompt_version, decided_at, appeal_until } =
    document
  return {
    urn: urn('verdict', row.id),
    dispute_urn: urn('dispute', row.dispute_id),
    order_urn: named('order', document.order_urn),
    sequence: row.sequence,
    ...(document.supersedes ? { supersedes_urn: named('verdict', document.supersedes) } : {}),
    party_a: named('agent', document.party_a),
    party_b: named('agent', document.party_b),
    ...{ winner, remedy, grounds, confidence, prompt_version, decided_at },
    ...present({ partial_amount_usdc: partial_amount_usdc ?? null, appeal_until: appeal_until ?? null }),
    signed: { document, key_id: row.key_id, signature: row.signature },
  }
}

function named<Prefix extends UrnPrefix>(prefix: Prefix, text: string) {
  return urn(prefix, parseUrn(prefix, text) ?? '')
}
