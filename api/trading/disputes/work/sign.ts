import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { canonicalJson, sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { splitHold } from '../../../../protocol/payments/split.ts'
import type { VerdictDocument } from '../../../../protocol/records/verdict.ts'
import type { Settings } from '../../../context.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { signAs } from '../../../platform/signing/keys.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import { readRecord } from '../facts/record.ts'
import { remedyOf, winnerOf } from '../facts/remedy.ts'
import { VerdictSigned } from '../record/announcements.ts'
import { agentOf, type DisputeRow } from '../record/find.ts'
import { disputeEvents } from '../record/module.ts'
import { disputePayload, partiesOf } from '../record/transition.ts'
import { latestVerdict, type VerdictRow } from '../record/verdicts.ts'

/** The decision of an arbitrator or a reviewer, and who made it. */
export interface Ruling {
  kind: VerdictRow['kind']
  refundMicros: bigint
  grounds: string
  confidence: number
  promptVersion: string
}

/**
 * Signs and stores the next verdict of a dispute, and announces it. Order and dispute must be locked, the
 * dispute in the state that the verdict leads to. The split is that of the hold, with the order's fee.
 */
export async function signVerdict(
  tx: Tx,
  settings: Settings,
  { order, dispute }: { order: OrderRow; dispute: DisputeRow },
  ruling: Ruling,
): Promise<void> {
  const id = newId()
  const earlier = await latestVerdict(tx, dispute.id)
  const document = await makeDocument(tx, { id, order, dispute, earlier }, ruling)
  const { keyId, signature } = await signAs(tx, settings, 'verdicts', document)
  const split = splitHold(order.price_micros, ruling.refundMicros, order.fee_bps)
  const winner = winnerOf(order.price_micros, ruling.refundMicros, dispute.opener)
  const text = canonicalJson(document)
  await tx
    .insertInto('market.verdicts')
    .values({
      id,
      dispute_id: dispute.id,
      sequence: document.sequence,
      kind: ruling.kind,
      winner,
      payer_micros: split.payerMicros,
      payee_micros: split.payeeMicros,
      fee_micros: split.feeMicros,
      document: text,
      key_id: keyId,
      signature,
    })
    .execute()
  const { verdict_urn } = document
  const event = { payload: { ...disputePayload(order, dispute), verdict_urn }, visibleTo: partiesOf(order) }
  await emit(tx, disputeEvents['verdict.signed'], event)
  await emit(tx, disputeEvents['dispute.decided'], event)
  const details = { verdict_urn, dispute_urn: document.dispute_urn, sha256: sha256Hex(text) }
  await audit(tx, { actor: 'service', action: 'verdict.sign', subject: document.order_urn, details })
  const { sequence } = document
  const signed = { orderId: order.id, disputeId: dispute.id, verdictId: id, sequence, winner }
  await announce(tx, settings, VerdictSigned, signed)
}

interface Named {
  id: string
  order: OrderRow
  dispute: DisputeRow
  earlier: VerdictRow | undefined
}

async function makeDocument(
  tx: Tx,
  { id, order, dispute, earlier }: Named,
  { kind, refundMicros, grounds, confidence, promptVersion }: Ruling,
): Promise<VerdictDocument> {
  const { facts, evidenceSha256 } = await readRecord(tx, dispute.id)
  const price = order.price_micros
  const remedy = remedyOf(price, refundMicros)
  const split = splitHold(price, refundMicros, order.fee_bps)
  return {
    verdict_urn: urnString('verdict', id),
    dispute_urn: urnString('dispute', dispute.id),
    order_urn: urnString('order', order.id),
    sequence: (earlier?.sequence ?? 0) + 1,
    ...(earlier ? { supersedes: urnString('verdict', earlier.id) } : {}),
    party_a: urnString('agent', order.buyer_id),
    party_b: urnString('agent', order.seller_id),
    opener: urnString('agent', agentOf(order, dispute.opener)),
    winner: winnerOf(price, refundMicros, dispute.opener) === 'buyer' ? 'party_a' : 'party_b',
    remedy,
    ...(remedy === 'partial_refund' ? { partial_amount_usdc: formatAmount(refundMicros) } : {}),
    price: formatAmount(price),
    split: {
      buyer: formatAmount(split.payerMicros),
      seller: formatAmount(split.payeeMicros),
      fee: formatAmount(split.feeMicros),
    },
    grounds,
    confidence,
    prompt_version: promptVersion,
    arbitrator: { kind },
    facts: { ...facts },
    evidence_sha256: evidenceSha256,
    decided_at: (await readClock(tx)).toISOString(),
    ...(dispute.state === 'decided' && dispute.due_at ? { appeal_until: dispute.due_at.toISOString() } : {}),
  }
}
