import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { NOTHING, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineEvents, sha256In, urnIn } from '../../platform/events/eventType.ts'
import { aboutOrder } from '../orders/record/module.ts'
import { deliveryProblems } from './problems.ts'

const MINUTE = 60

export const deliveryEvents = defineEvents({
  'delivery.received': {
    when: 'The seller uploaded a file.',
    payload: aboutOrder.extend({ delivery_urn: urnIn('delivery'), output_hash: sha256In }),
    isSpecified: true,
  },
  'delivery.notified': {
    when: 'The notice first reached the buyer: a webhook took it, a stream sent it, or the buyer read the thread.',
    payload: aboutOrder.extend({ message_urn: urnIn('message') }),
    isSpecified: true,
  },
})

const personalData: PersonalData = {
  tables: {
    'market.delivery_notices': {
      plain: ['order_id', 'number', 'message_id', 'output_hash', 'sla_due_at', 'delivered_at'],
    },
    'market.delivery_notifications': { plain: ['message_id', 'notified_at'] },
    'market.rejections': {
      overwritten: {
        rows: (person) => sql`order_id in (select id from market.orders where buyer_id in ${person.agents})`,
        columns: { reason: NOTHING },
      },
      plain: ['order_id', 'number', 'rejected_at'],
    },
    // The bytes are deleted within seconds: market.blob_removals lists the deleted rows.
    'market.deliveries': {
      deleted: {
        rows: (person) => sql`order_id in (select id from market.orders where seller_id in ${person.agents})`,
        columns: ['filename', 'sha256', 'size_bytes', 'is_blank', 'excerpt'],
      },
      plain: ['id', 'order_id', 'message_id', 'created_at'],
    },
  },
  sections: [
    {
      name: 'deliveries',
      hasBlobs: true,
      rows: (person) => sql`
        select delivery.id, jsonb_build_object('urn', ${urnText('delivery', 'delivery.id')},
          'order_urn', ${urnText('order', 'delivery.order_id')}, 'seller_urn', ${urnText('agent', 'traded.seller_id')}, 'filename', delivery.filename, 'sha256', delivery.sha256,
          'size_bytes', delivery.size_bytes, 'created_at', ${timeText('delivery.created_at')}) as document
        from market.orders traded join market.deliveries delivery on delivery.order_id = traded.id
        where traded.seller_id in ${person.agents}
          or (traded.buyer_id in ${person.agents} and delivery.message_id is not null)`,
    },
    {
      name: 'rejections',
      rows: (person) => sql`
        select rejected.order_id::text || ':' || rejected.number as id,
          jsonb_build_object('order_urn', ${urnText('order', 'rejected.order_id')}, 'number', rejected.number,
            'reason', rejected.reason, 'rejected_at', ${timeText('rejected.rejected_at')}) as document
        from market.orders traded join market.rejections rejected on rejected.order_id = traded.id
        where traded.buyer_id in ${person.agents} or traded.seller_id in ${person.agents}`,
    },
  ],
}

const rules = {
  /** How many uploads an order can have. */
  maxUploads: 20,
  /** The largest upload, in bytes. */
  maxDeliveryBytes: 100 * 1_048_576,
  /** How long a link to a file is valid. */
  linkSeconds: 5 * MINUTE,
}

/** What the service knows through this folder. */
export const deliveries = {
  events: deliveryEvents,
  problems: deliveryProblems,
  rules,
  personalData,
  schema: ['api/trading/deliveries/schema.sql'],
} satisfies Module
