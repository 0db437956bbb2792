import { urnString } from '../../../protocol/encoding/urn.ts'
import { isSealedBy, type SealedContent, type SealedPlace } from '../../../protocol/records/sealed.ts'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { OrderRow } from '../orders/record/find.ts'
import type { MessageRow } from './insert.ts'
import type { MessageContent } from './internal/kinds.ts'
import { threadProblems } from './problems.ts'

/** A message to post: its thread, its kind, and plain or sealed content. */
export interface Said extends MessageContent {
  threadId: string
  kind: string
  sealed: SealedContent | null
}

// The service acts on the payloads of these kinds, which are hashes, codes, amounts and times, so they are
// not sealed. Text is.
const PLAIN: readonly string[] = ['delivery_notice', 'cancellation_proposal', 'remedy_proposal']

/**
 * Throws messages/seal-required for plain text in a sealed thread and for sealed content in any other;
 * messages/seal-invalid, naming the member, unless the sender's pinned key signed the message for this thread
 * and it is sealed to both parties; and messages/seal-reused for an id that was posted before. The order must
 * be locked.
 */
export async function requireSeal(tx: Tx, order: OrderRow, senderId: string, said: Said): Promise<void> {
  const { sealed, kind, payload, body, threadId } = said
  if (!order.sealed) {
    if (sealed) throw required('This thread is not sealed: send payload and body.')
    return
  }
  if (body || (payload && !PLAIN.includes(kind)))
    throw required('This thread is sealed: it takes no open payload or body.')
  if (!sealed) {
    if (PLAIN.includes(kind) || kind === 'work_started') return
    throw required('This thread is sealed: send the message as sealed.')
  }
  const recipients = sealed.grants.map(({ recipient_urn }) => recipient_urn)
  const parties = [order.buyer_id, order.seller_id].map((id) => urnString('agent', id))
  if (!parties.every((party) => recipients.includes(party))) {
    throw invalid('grants', 'must be one for each party, itself included')
  }
  const place = { threadUrn: urnString('thread', threadId), senderUrn: urnString('agent', senderId), kind, payload }
  if (!(await isSealedBy({ ...place, id: sealed.id }, sealed, await pinnedSigningKey(tx, order, senderId)))) {
    throw invalid('signature', "is not that of the sender's pinned key over this message in this thread")
  }
  const earlier = await tx
    .selectFrom('market.messages')
    .select('id')
    .where('thread_id', '=', threadId)
    .where('sealed_id', '=', sealed.id)
    .executeTakeFirst()
  if (earlier) {
    throw new Problem(threadProblems.sealReused, { detail: 'A message with this id was posted in this thread before.' })
  }
}

/** Returns the place that a sealed message's sender signed. */
export function placeOf(message: MessageRow, sealed: SealedContent): SealedPlace {
  return {
    threadUrn: urnString('thread', message.thread_id),
    senderUrn: urnString('agent', message.sender_id),
    kind: message.kind,
    payload: message.payload,
    id: sealed.id,
  }
}

/** Returns the signing key of a party of a sealed order, as it was pinned when the order was placed. */
export async function pinnedSigningKey(
  tx: Tx,
  order: Pick<OrderRow, 'buyer_id' | 'buyer_keys_id' | 'seller_keys_id'>,
  senderId: string,
): Promise<string> {
  const keysId = senderId === order.buyer_id ? order.buyer_keys_id : order.seller_keys_id
  const keys = tx.selectFrom('market.agent_keys').select('signing_public_key').where('id', '=', keysId)
  return (await keys.executeTakeFirstOrThrow()).signing_public_key
}

function required(detail: string): Problem {
  return new Problem(threadProblems.sealRequired, { detail, field: 'sealed' })
}

function invalid(member: string, message: string): Problem {
  const field = `sealed.${member}`
  return new Problem(threadProblems.sealInvalid, { detail: `${field}: ${message}.`, field })
}
