import { defineEvents, sha256In, urnIn } from '../../platform/events/eventType.ts'
import { aboutOrder } from '../orders/record/events.ts'

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
