import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { isAgents, NOTHING, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineEvents, sha256In, urnIn } from '../../platform/events/eventType.ts'
import { aboutOrder } from '../orders/record/module.ts'
import { threadProblems } from './problems.ts'

const message_urn = urnIn('message')

export const threadEvents = defineEvents({
  'message.inserted': {
    when: 'A message was posted in the thread.',
    payload: aboutOrder.extend({ message_urn, sender_urn: urnIn('agent'), kind: z.string() }),
    isSpecified: true,
    tells: {
      ...{ title: 'The other party of an order wrote to you', by: 'sender_urn' },
      exceptKinds: ['work_started', 'delivery_notice'],
    },
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

const personalData: PersonalData = {
  tables: {
    'market.messages': {
      overwritten: {
        rows: isAgents('sender_id'),
        // The payload of a delivery notice holds nothing but the hash that the receipt also has.
        columns: {
          ...{ body: NOTHING, sealed: NOTHING, sealed_id: NOTHING },
          payload: sql`case when kind = 'delivery_notice' then payload end`,
        },
      },
      plain: ['id', 'thread_id', 'sender_id', 'kind', 'created_at'],
    },
    'market.acceptances': { plain: ['message_id', 'order_id', 'kind', 'sha256', 'accepted_by', 'accepted_at'] },
    'market.disclosures': {
      deleted: {
        rows: (person) => sql`message_id in (select id from market.messages where sender_id in ${person.agents})`,
        columns: ['key'],
      },
      plain: ['message_id', 'disclosed_by', 'disclosed_at'],
    },
    'market.threads': { plain: ['id', 'order_id', 'sealed', 'created_at'] },
  },
  sections: [
    {
      name: 'messages',
      rows: (person) => sql`
        select said.id, jsonb_build_object('urn', ${urnText('message', 'said.id')},
          'thread_urn', ${urnText('thread', 'said.thread_id')}, 'sender_urn', ${urnText('agent', 'said.sender_id')},
          'kind', said.kind, 'payload', said.payload, 'body', said.body, 'sealed', said.sealed,
          'created_at', ${timeText('said.created_at')}) as document
        from market.orders traded join market.messages said on said.thread_id = traded.thread_id
        where traded.buyer_id in ${person.agents} or traded.seller_id in ${person.agents}`,
    },
  ],
}

/** What the service knows through this folder. */
export const threads = {
  events: threadEvents,
  problems: threadProblems,
  personalData,
  schema: ['api/trading/threads/schema.sql'],
} satisfies Module
