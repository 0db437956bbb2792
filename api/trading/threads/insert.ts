import type { Selectable } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { SealedContent } from '../../../protocol/records/sealed.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { emit } from '../../platform/events/emit.ts'
import type { OrderRow } from '../orders/record/find.ts'
import { orderPayload } from '../orders/record/transition.ts'
import type { MessageContent } from './internal/kinds.ts'
import { threadEvents } from './module.ts'

/** A message as stored. */
export type MessageRow = Selectable<Database['market.messages']>

/** A message to be stored: its thread, sender and content. */
export interface NewMessage extends MessageContent {
  threadId: string
  senderId: string
  kind: string
  sealed: SealedContent | null
}

/**
 * Stores a message and emits an event to both parties. The order must be locked, so that messages have a
 * sequence.
 */
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
  await emit(tx, threadEvents['message.inserted'], {
    payload: {
      ...orderPayload(order),
      message_urn: urnString('message', row.id),
      sender_urn: urnString('agent', row.sender_id),
      kind: row.kind,
    },
    visibleTo: [order.buyer_id, order.seller_id],
  })
  return row
}

// Pages follow ids, so a new message must have a greater id than every earlier one, whichever process and
// clock wrote that.
async function nextId(tx: Tx, threadId: string): Promise<string> {
  const last = await tx
    .selectFrom('market.messages')
    .select('id')
    .where('thread_id', '=', threadId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const id = newId()
  return last && id <= last.id ? newId({ msecs: millisecondsOf(last.id) + 1 }) : id
}

/** The time in a UUID of version 7: its first 48 bits (RFC 9562, 5.7), in milliseconds. */
function millisecondsOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}
