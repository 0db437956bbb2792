import { z } from 'zod'
import { defineEvents, urnIn } from '../events/eventType.ts'

const webhook_urn = urnIn('webhook')

export const webhookEvents = defineEvents({
  'webhook.subscription.paused': {
    when: 'The service paused a webhook, because every attempt of a day has failed.',
    payload: z.object({ webhook_urn, status: z.literal('paused') }),
    isSpecified: true,
  },
  'webhook.dead_letter': {
    when: 'A delivery of a webhook was given up. Its own webhook is not told.',
    payload: z.object({ webhook_urn, delivery_id: z.uuid(), event_id: z.uuid(), event_type: z.string() }),
    isSpecified: true,
  },
})
