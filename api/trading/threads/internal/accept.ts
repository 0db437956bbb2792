import { formatAmount, parseAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { groundProblems, Problem, requireAllowed } from '../../../errors.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { requestChecks } from '../../criteria/request.ts'
import { lockOrder, type OrderRow } from '../../orders/record/find.ts'
import { refusePosting } from '../../orders/record/guards.ts'
import { CANCEL_REASONS } from '../../orders/record/schemas.ts'
import { orderPayload } from '../../orders/record/transition.ts'
import { cancelByBoth } from '../../orders/work/cancel.ts'
import { changeSla } from '../../orders/work/changeSla.ts'
import { RemedyAccepted } from '../announcements.ts'
import type { MessageRow } from '../insert.ts'
import { threadEvents } from '../module.ts'
import { threadProblems } from '../problems.ts'
import { toMessage } from '../wire.ts'
import { findMessage } from './find.ts'
import { isProposal, type ProposalKind } from './kinds.ts'

/**
 * Accepts a proposal of the other party: a change of scope becomes part of what delivery is measured against,
 * and its `changes` apply, a cancellation refunds the order in full, a remedy ends the dispute by that split.
 * Only the sender's newest proposal of its kind can be accepted. Returns the order's id. Throws 404 for
 * strangers, 403 for its sender, 409 if it can no longer be accepted, 422 if the digest is not the
 * proposal's, or as `changeSla`.
 */
export async function acceptProposal(tx: Tx, call: AgentCall, messageId: string, sha256: string): Promise<string> {
  const message = await findMessage(tx, call.actor, messageId)
  const { order } = await lockOrder(tx, call.actor, message.order_id)
  const { kind } = message
  if (!isProposal(kind)) {
    throw new Problem(threadProblems.none, { detail: `This message is no proposal: its kind is ${kind}.` })
  }
  if (message.sender_id === call.actor.agentId) {
    throw new Problem(groundProblems.forbidden, { detail: 'This proposal is your own: the other side accepts it.' })
  }
  requireDigest(message, sha256)
  await requireStanding(tx, order, message, kind)
  const acceptance = { message, kind, sha256, by: call.actor.agentId }
  await keepAcceptance(tx, order, acceptance)
  const slaSeconds = kind === 'scope_change_proposal' ? slaOf(message) : undefined
  const { rules } = call.settings
  const changed = slaSeconds === undefined ? order : await changeSla(tx, rules, order, slaSeconds)
  if (kind === 'scope_change_proposal' && changesCriteria(message)) await requestChecks(tx, order)
  await announceAcceptance(tx, changed, acceptance)
  if (kind === 'cancellation_proposal') await cancelByBoth(tx, call.settings, order, reasonOf(message))
  if (kind === 'remedy_proposal') {
    await announce(tx, call.settings, RemedyAccepted, { order, refundMicros: refundOf(order, message) })
  }
  return order.id
}

function requireDigest(message: MessageRow, sha256: string): void {
  if (toMessage(message).sha256 === sha256) return
  throw new Problem(threadProblems.otherDigest, {
    detail: 'This is not the sha256 of this proposal. Read the message, and accept what it says.',
    field: 'sha256',
  })
}

async function requireStanding(tx: Tx, order: OrderRow, message: MessageRow, kind: ProposalKind): Promise<void> {
  requireAllowed(refusePosting(order, kind))
  const newer = await tx
    .selectFrom('market.messages')
    .select('id')
    .where('thread_id', '=', message.thread_id)
    .where('sender_id', '=', message.sender_id)
    .where('kind', '=', kind)
    .where('id', '>', message.id)
    .limit(1)
    .executeTakeFirst()
  if (!newer) return
  throw new Problem(threadProblems.superseded, {
    detail: 'The sender has made a newer proposal, and only that one is valid.',
  })
}

interface Acceptance {
  message: MessageRow
  kind: ProposalKind
  sha256: string
  by: string
}

async function keepAcceptance(tx: Tx, { id }: OrderRow, { message, kind, sha256, by }: Acceptance): Promise<void> {
  const kept = await tx
    .insertInto('market.acceptances')
    .values({ message_id: message.id, order_id: id, kind, sha256, accepted_by: by })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .returning('message_id')
    .executeTakeFirst()
  if (!kept) throw new Problem(threadProblems.superseded, { detail: 'This proposal was accepted before.' })
}

async function announceAcceptance(tx: Tx, order: OrderRow, { message, kind, sha256, by }: Acceptance): Promise<void> {
  const messageUrn = urnString('message', message.id)
  await emit(tx, threadEvents['proposal.accepted'], {
    payload: {
      ...orderPayload(order),
      message_urn: messageUrn,
      kind,
      sha256,
    },
    visibleTo: [order.buyer_id, order.seller_id],
  })
  await audit(tx, {
    actor: urnString('agent', by),
    action: 'proposal.accept',
    subject: urnString('order', order.id),
    details: { message_urn: messageUrn, sha256 },
  })
}

/**
 * Returns the time to deliver that a proposal changes, in seconds. `readContent` accepts only a whole number.
 */
function slaOf({ payload }: MessageRow): number | undefined {
  const changes = payload?.changes as { sla_seconds?: number } | undefined
  return changes?.sla_seconds
}

/** Returns whether a proposal changes the criteria. `readContent` has validated them. */
function changesCriteria({ payload }: MessageRow): boolean {
  return (payload?.changes as { criteria?: unknown } | undefined)?.criteria !== undefined
}

function reasonOf({ payload }: MessageRow) {
  return CANCEL_REASONS.find((reason) => reason === payload?.reason_code) ?? 'other'
}

/** Throws messages/invalid-payload for more than the price. */
function refundOf(order: OrderRow, { payload }: MessageRow): bigint {
  const refundMicros = parseAmount(String(payload?.refund))
  if (refundMicros !== undefined && refundMicros <= order.price_micros) return refundMicros
  const detail = `payload.refund: is above the price, ${formatAmount(order.price_micros)}.`
  throw new Problem(threadProblems.invalidPayload, { detail, field: 'payload.refund' })
}
