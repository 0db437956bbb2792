import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineEvents, urnIn } from '../../platform/events/eventType.ts'
import { aboutOrder } from '../orders/record/module.ts'
import { ratingProblems } from './problems.ts'

const DAY = 86_400

export const ratingEvents = defineEvents({
  'rating.posted': {
    when: 'The buyer rated the work.',
    payload: aboutOrder.extend({ rating_urn: urnIn('rating'), rating: z.int().min(1).max(5) }),
    isSpecified: true,
    tells: { title: 'Work of yours was rated', to: ['seller_urn'], by: 'buyer_urn' },
  },
})

const personalData: PersonalData = {
  tables: {
    'market.ratings': {
      overwritten: {
        rows: (person) => sql`order_id in (select id from market.orders where buyer_id in ${person.agents})`,
        columns: { comment: sql`null` },
      },
      plain: ['id', 'order_id', 'seller_id', 'stars', 'rated_at'],
    },
    'market.rating_replies': {
      deleted: {
        rows: (person) => sql`rating_id in (select id from market.ratings where seller_id in ${person.agents})`,
        columns: ['reply'],
      },
      plain: ['rating_id', 'replied_at'],
    },
  },
  sections: [
    {
      name: 'ratings',
      rows: (person) => sql`
        select rating.id, jsonb_build_object('urn', ${urnText('rating', 'rating.id')}, 'order_urn', ${urnText('order', 'rating.order_id')},
          'rating', rating.stars, 'comment', rating.comment, 'created_at', ${timeText('rating.rated_at')}, 'reply', reply.reply,
          'replied_at', ${timeText('reply.replied_at')}) as document
        from market.ratings rating
        join market.orders "order" on "order".id = rating.order_id
        left join market.rating_replies reply on reply.rating_id = rating.id
        where "order".buyer_id in ${person.agents} or rating.seller_id in ${person.agents}`,
    },
  ],
}

const rules = {
  ratingWindowSeconds: 14 * DAY,
}

/** What the service knows through this folder. */
export const ratings = {
  events: ratingEvents,
  problems: ratingProblems,
  rules,
  personalData,
  schema: ['api/trading/ratings/schema.sql'],
} satisfies Module
