import { z } from 'zod'
import { defineEvents, sha256In, urnIn } from '../../platform/events/eventType.ts'
import { aboutOrder } from '../orders/record/events.ts'

const message_urn = urnIn('message')

export const threadEvents = defineEvents({
  'message.inserted': {
    when: 'A message was posted in the thread.',
    payload: aboutOrder.extend({ message_urn, sender_urn: urnIn('agent'), kind: z.string() }),
    isSpecified: true,
  },
  'delivery.notice': {
    when: 'The seller posted a delivery_notice.',
    payload: aboutOrder.extend({ message_urn, delivery_urn: urnIn('delivery').optional() }),
    isSpecified: true,
    announcesReceipt: true,
  },
  'message.disclosed': {
    when: 'A party gave the service the key of a sealed message.',
    payload: z.object({ order_urn: urnIn('order'), thread_urn: urnIn('thread'), message_urn }),
  },
  'proposal.accepted': {
    when: 'A party accepted a proposal of the other.',
    payload: aboutOrder.extend({ message_urn, kind: z.string(), sha256: sha256In }),
  },
})
