import { urnString } from '../../../../protocol/encoding/urn.ts'
import { decryptWords, isSealedBy, SealBroken } from '../../../../protocol/records/sealed.ts'
import { sealedContent } from '../../../../protocol/records/sealedContent.ts'
import type { AgentCall } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { threadEvents } from '../module.ts'
import { threadProblems } from '../problems.ts'
import { pinnedSigningKey, placeOf } from '../seal.ts'
import { findMessage } from './find.ts'

/**
 * Stores the key of a sealed message that a party discloses to the service, and returns the decrypted
 * content. Only the key that the sender committed to is accepted, and only for a message that its sender
 * signed, so neither party can present another text. Repeating the call changes nothing. Throws 404 for
 * strangers, 422 for a message that is not sealed or not signed, and for a wrong key.
 */
export async function discloseMessage(tx: Tx, { actor }: AgentCall, messageId: string, key: Buffer) {
  const message = await findMessage(tx, actor, messageId)
  const sealed = sealedContent.safeParse(message.sealed)
  if (!sealed.success) throw refused('This message is not sealed, so no key opens it.')
  const place = placeOf(message, sealed.data)
  if (!(await isSealedBy(place, sealed.data, await pinnedSigningKey(tx, message, message.sender_id)))) {
    throw refused("Its sender's pinned key did not sign it.")
  }
  try {
    const words = await decryptWords(place, sealed.data, key)
    await keepKey(tx, actor.agentId, message, key)
    return words
  } catch (error) {
    if (error instanceof SealBroken) throw refused(`It cannot be opened: ${error.message}.`)
    throw error
  }
}

type FoundMessage = Awaited<ReturnType<typeof findMessage>>

async function keepKey(tx: Tx, by: string, message: FoundMessage, key: Buffer): Promise<void> {
  const fresh = await tx
    .insertInto('market.disclosures')
    .values({ message_id: message.id, key, disclosed_by: by })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .returning('message_id')
    .executeTakeFirst()
  if (!fresh) return
  const urns = {
    order_urn: urnString('order', message.order_id),
    thread_urn: urnString('thread', message.thread_id),
    message_urn: urnString('message', message.id),
  }
  await emit(tx, threadEvents['message.disclosed'], { payload: urns, visibleTo: [message.buyer_id, message.seller_id] })
  await audit(tx, {
    actor: urnString('agent', by),
    action: 'message.disclose',
    subject: urns.order_urn,
    details: { message_urn: urns.message_urn },
  })
}

function refused(detail: string): Problem {
  return new Problem(threadProblems.disclosureRefused, { detail, field: 'key' })
}
