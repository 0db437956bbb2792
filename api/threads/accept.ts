import { urnString } from '../../protocol/urn.ts'
import type { AgentCall } from '../context.ts'
import { audit } from '../db/audit.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import type { OrderState } from '../db/schema/orders.ts'
import { Problem } from '../errors.ts'
import { cancelByBoth } from '../orders/cancel.ts'
import { lockOrder, type OrderRow } from '../orders/find.ts'
import { CANCEL_REASONS } from '../orders/reasons.ts'
import { findMessage } from './find.ts'
import type { MessageRow } from './insert.ts'
import { isProposal, type ProposalKind } from './kinds.ts'
import { toMessage } from './wire.ts'

/** While an order is in which states a proposal can be accepted. */
const DURING: Record<ProposalKind, readonly OrderState[]> = {
  scope_change_proposal: ['funded', 'in_flight', 'delivered', 'rejected'],
  cancellation_proposal: ['funded', 'in_flight'],
}

/**
 * Accepts what the other side proposed: a change of scope becomes part of what delivery is measured against, a
 * cancellation refunds the order whole. Answers the order's id. The newest proposal of its kind by its sender stands.
 * Throws 404 to strangers, 403 to its sender, 409 where it does not stand any more, 422 for a digest that is another's.
 */
export async function acceptProposal(tx: Tx, call: AgentCall, messageId: string, sha256: string): Promise<string> {
  const message = await findMessage(tx, call.actor, messageId)
  const { order } = await lockOrder(tx, call.actor, message.order_id)
  const { kind } = message
  if (!isProposal(kind)) {
    throw new Problem('proposals/none', { detail: `This message is no proposal: its kind is ${kind}.` })
  }
  if (message.sender_id === call.actor.agentId) {
    throw new Problem('auth/forbidden', { detail: 'This proposal is your own: the other side accepts it.' })
  }
  requireDigest(message, sha256)
  await requireStanding(tx, order, message, kind)
  await keepAcceptance(tx, order, { message, kind, sha256, by: call.actor.agentId })
  if (kind === 'cancellation_proposal') await cancelByBoth(tx, call.settings, order, reasonOf(message))
  return order.id
}

function requireDigest(message: MessageRow, sha256: string): void {
  if (toMessage(message).sha256 === sha256) return
  throw new Problem('proposals/other-digest', {
    detail: 'This is not the sha256 of this proposal. Read the message, and accept what it says.',
    field: 'sha256',
  })
}

async function requireStanding(tx: Tx, order: OrderRow, message: MessageRow, kind: ProposalKind): Promise<void> {
  if (!DURING[kind].includes(order.state)) {
    throw new Problem('orders/state-conflict', {
      detail: `A ${kind} can be accepted while the order is ${DURING[kind].join(' or ')}; it is ${order.state}.`,
    })
  }
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
  throw new Problem('proposals/superseded', { detail: 'Its sender has made another proposal since: that one stands.' })
}

interface Acceptance {
  message: MessageRow
  kind: ProposalKind
  sha256: string
  by: string
}

async function keepAcceptance(tx: Tx, order: OrderRow, { message, kind, sha256, by }: Acceptance): Promise<void> {
  const kept = await tx
    .insertInto('market.acceptances')
    .values({ message_id: message.id, order_id: order.id, kind, sha256, accepted_by: by })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .returning('message_id')
    .executeTakeFirst()
  if (!kept) throw new Problem('proposals/superseded', { detail: 'This proposal was accepted before.' })
  const messageUrn = urnString('message', message.id)
  await emit(tx, {
    type: 'proposal.accepted',
    payload: {
      order_urn: urnString('order', order.id),
      thread_urn: urnString('thread', message.thread_id),
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

function reasonOf({ payload }: MessageRow) {
  return CANCEL_REASONS.find((reason) => reason === payload?.reason_code) ?? 'other'
}
