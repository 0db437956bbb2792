import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { SealedContent } from '../../protocol/sealed.ts'
import { urnString } from '../../protocol/urn.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import type { OrderRow } from '../orders/find.ts'
import type { MessageContent, MessageKind } from './kinds.ts'

/** A message as its row holds it. */
export type MessageRow = Selectable<Database['market.messages']>

/** A message to keep: who says what in which thread. */
export interface NewMessage extends MessageContent {
  threadId: string
  senderId: string
  kind: MessageKind
  sealed: SealedContent | null
}

/** Keeps a message and tells both parties of it. The order must be locked: messages come one after another. */
export async function insertMessage(tx: Tx, order: OrderRow, message: NewMessage): Promise<MessageRow> {
  const row = await tx
    .insertInto('market.messages')
    .values({
      id: await nextId(tx, message.threadId),
      thread_id: message.threadId,
      sender_id: message.senderId,
      kind: message.kind,
      payload: message.payload === null ? null : JSON.stringify(message.payload),
      body: message.body,
      sealed: message.sealed && JSON.stringify(message.sealed),
      sealed_id: message.sealed?.id ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(tx, {
    type: 'message.inserted',
    payload: {
      message_urn: urnString('message', row.id),
      thread_urn: urnString('thread', row.thread_id),
      order_urn: urnString('order', order.id),
      sender_urn: urnString('agent', row.sender_id),
      kind: row.kind,
    },
    visibleTo: [order.buyer_id, order.seller_id],
  })
  return row
}

// Pages follow ids, so a new message stands behind every earlier one, whichever process wrote that by whichever clock.
async function nextId(tx: Tx, threadId: string): Promise<string> {
  const last = await tx
    .selectFrom('market.messages')
    .select('id')
    .where('thread_id', '=', threadId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const id = uuidv7()
  return last && id <= last.id ? uuidv7({ msecs: millisecondsOf(last.id) + 1 }) : id
}

/** The time in a UUID of version 7: its first 48 bits (RFC 9562, 5.7), in milliseconds. */
function millisecondsOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}
