import { decryptWords, SealBroken, sealedContent } from '../../protocol/sealed.ts'
import { urnString } from '../../protocol/urn.ts'
import type { AgentCall } from '../context.ts'
import { audit } from '../db/audit.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { findMessage } from './find.ts'
import { placeOf } from './seal.ts'

/**
 * A party tells the service what a sealed message says, by its key: only the one that its sender committed to is taken,
 * so neither side can show another text. Told again, it says the same. Throws 404 to strangers, 422 for a message that is
 * not sealed, and for a key that is not its own.
 */
export async function discloseMessage(tx: Tx, { actor }: AgentCall, messageId: string, key: Buffer) {
  const message = await findMessage(tx, actor, messageId)
  const sealed = sealedContent.safeParse(message.sealed)
  if (!sealed.success) throw refused('This message is not sealed: it says what it says to everyone in the thread.')
  try {
    const words = decryptWords(placeOf(message, sealed.data), sealed.data, key)
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
  await emit(tx, { type: 'message.disclosed', payload: urns, visibleTo: [message.buyer_id, message.seller_id] })
  await audit(tx, {
    actor: urnString('agent', by),
    action: 'message.disclose',
    subject: urns.order_urn,
    details: { message_urn: urns.message_urn },
  })
}

function refused(detail: string): Problem {
  return new Problem('messages/disclosure-refused', { detail, field: 'key' })
}
