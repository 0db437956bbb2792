import { z } from 'zod'
import { defineEvents, urnIn } from '../../platform/events/eventType.ts'
import { aboutOrder } from '../orders/record/events.ts'

export const ratingEvents = defineEvents({
  'rating.posted': {
    when: 'The buyer rated the work.',
    payload: aboutOrder.extend({ rating_urn: urnIn('rating'), rating: z.int().min(1).max(5) }),
    isSpecified: true,
  },
})
