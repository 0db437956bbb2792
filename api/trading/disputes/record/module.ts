import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../../module.ts'
import {
  amountText,
  isAgents,
  NOTHING,
  type PersonalData,
  timeText,
  urnText,
  WORDS,
} from '../../../platform/db/personalDataRule.ts'
import { amountIn, defineEvents, sha256In, timeIn, urnIn } from '../../../platform/events/eventType.ts'
import { aboutOrder } from '../../orders/record/module.ts'
import { disputeProblems } from './problems.ts'

const DAY = 86_400

/** The further members of every event about a dispute: the dispute's state. `state` is the order's. */
const aboutDispute = aboutOrder.extend({
  dispute_urn: urnIn('dispute'),
  dispute_state: z.enum(['open', 'pre_review', 'arbitrating', 'in_review', 'decided', 'executing', 'closed']),
  due_at: timeIn.optional(),
})
const aboutVerdict = aboutDispute.extend({ verdict_urn: urnIn('verdict') })
const aboutAppeal = aboutDispute.extend({ appellant_urn: urnIn('agent'), fee: amountIn })

export const disputeEvents = defineEvents({
  'receipt.disputed': {
    when: 'Accompanies order.disputed, about the receipt.',
    payload: aboutDispute,
    isSpecified: true,
  },
  'dispute.opened': {
    when: 'Accompanies order.disputed, about the dispute.',
    // The party that opened it; absent if the service did, for the buyer.
    payload: aboutDispute.extend({ opener_urn: urnIn('agent'), actor_urn: urnIn('agent').optional() }),
    isSpecified: true,
    tells: { title: 'An order of yours is disputed', by: 'actor_urn' },
  },
  'dispute.responded': { when: 'The party that did not open the dispute responded.', payload: aboutDispute },
  'dispute.file_handed_in': {
    when: 'A party handed in a file: as evidence, or to an appeal.',
    payload: aboutDispute.extend({
      evidence_urn: urnIn('evidence'),
      party: z.enum(['buyer', 'seller']),
      stage: z.enum(['evidence', 'appeal']),
      sha256: sha256In,
    }),
  },
  'dispute.evidence_due': {
    when: 'A quarter of the time for evidence is left, or a day of a longer one, and these parties are not ready.',
    payload: aboutDispute.extend({ awaited_urns: z.array(urnIn('agent')) }),
    tells: { title: 'The evidence of a dispute closes soon', to: ['awaited_urns'] },
  },
  'dispute.appeal_window_ending': {
    when: 'A quarter of the time to appeal is left, or a day of a longer one, for these parties.',
    payload: aboutVerdict.extend({ awaited_urns: z.array(urnIn('agent')) }),
    tells: { title: 'The time to appeal a verdict ends soon', to: ['awaited_urns'] },
  },
  'dispute.flagged_for_human': {
    when: 'A human must look at the dispute, for these reasons.',
    payload: aboutDispute.extend({ reasons: z.array(z.string()) }),
    isSpecified: true,
  },
  'dispute.decided': {
    when: 'Accompanies verdict.signed, about the dispute.',
    payload: aboutVerdict,
    isSpecified: true,
  },
  'dispute.settled': {
    when: 'The parties agreed on a split, or one of them conceded.',
    payload: aboutDispute.extend({
      outcome: z.enum(['settlement', 'concession', 'release']),
      refund: amountIn,
    }),
  },
  'verdict.signed': {
    when: 'The service signed a verdict. An automated one can be appealed.',
    payload: aboutVerdict,
    isSpecified: true,
    tells: { title: 'There is a verdict on an order of yours' },
  },
  'verdict.resolved': {
    when: 'The money is distributed as the verdict says.',
    payload: aboutVerdict,
    isSpecified: true,
  },
})

export const appealEvents = defineEvents({
  'appeal.opened': {
    when: 'A party paid the fee of an appeal. A human decides.',
    payload: aboutAppeal,
    isSpecified: true,
  },
  'appeal.lapsed': {
    when: 'The fee of an appeal was not paid in time, or the dispute ended first.',
    payload: aboutAppeal,
  },
})

const personalData: PersonalData = {
  tables: {
    'market.disputes': {
      plain: [
        ...['id', 'order_id', 'state', 'opener', 'buyer_ready_at', 'seller_ready_at', 'buyer_waived_at'],
        ...[
          'seller_waived_at',
          'flags',
          'reviewers',
          'appeal_heard_until',
          'due_at',
          'remind_at',
          'outcome',
          'refund_micros',
        ],
        ...['opened_at', 'closed_at'],
      ],
    },
    'market.dispute_statements': {
      overwritten: { rows: isAgents('author_id'), columns: { what_happened: WORDS, wanted: NOTHING } },
      plain: ['dispute_id', 'party', 'author_id', 'grounds', 'refund_micros', 'created_at'],
    },
    'market.appeal_statements': {
      overwritten: { rows: isAgents('author_id'), columns: { statement: WORDS } },
      plain: ['dispute_id', 'party', 'author_id', 'screening', 'created_at'],
    },
    'market.hostile_texts': { plain: ['dispute_id', 'author_id', 'confirmed_at'] },
    'market.dispute_evidence': {
      plain: ['id', 'dispute_id', 'party', 'message_id', 'delivery_id', 'created_at'],
    },
    // As for deliveries, the bytes are deleted within seconds.
    'market.evidence_files': {
      deleted: {
        rows: isAgents('author_id'),
        columns: ['filename', 'sha256', 'size_bytes', 'is_blank', 'excerpt', 'screening'],
      },
      plain: ['id', 'dispute_id', 'party', 'author_id', 'stage', 'created_at'],
    },
    // Hashes, times and numbers, and no text that a person wrote.
    'market.dispute_records': { plain: ['dispute_id', 'facts', 'record', 'screening', 'evidence_sha256', 'frozen_at'] },
    'market.arbitrations': { plain: ['dispute_id', 'attempts', 'ask_at', 'result', 'created_at'] },
    'market.reviews': {
      kept: { because: 'A reviewer says here why; no operator is erased.', columns: ['reviewer_id', 'grounds'] },
      plain: [...['id', 'dispute_id', 'assigned_at', 'read_at', 'ended_at', 'refund_micros', 'decided_at']],
    },
    'market.verdicts': {
      kept: {
        because: 'It was signed for both sides, and stays verifiable.',
        columns: ['document', 'key_id', 'signature'],
      },
      plain: [
        ...[
          'id',
          'dispute_id',
          'sequence',
          'kind',
          'winner',
          'payer_micros',
          'payee_micros',
          'fee_micros',
          'signed_at',
        ],
      ],
    },
  },
  sections: [
    {
      name: 'evidence_files',
      hasBlobs: true,
      rows: (person) => sql`
        select file.id, jsonb_build_object('urn', ${urnText('evidence', 'file.id')},
          'dispute_urn', ${urnText('dispute', 'file.dispute_id')}, 'party', file.party, 'stage', file.stage,
          'filename', file.filename, 'sha256', file.sha256, 'size_bytes', file.size_bytes,
          'created_at', ${timeText('file.created_at')}) as document
        from market.orders traded join market.evidence_files file on file.dispute_id = traded.dispute_id
        where traded.buyer_id in ${person.agents} or traded.seller_id in ${person.agents}`,
    },
    {
      name: 'disputes',
      rows: (person) => sql`
        select dispute.id, jsonb_build_object('urn', ${urnText('dispute', 'dispute.id')},
          'order_urn', ${urnText('order', 'dispute.order_id')}, 'state', dispute.state, 'opener', dispute.opener,
          'outcome', dispute.outcome, 'refund', ${amountText('dispute.refund_micros')}, 'statements', (
            select jsonb_agg(jsonb_build_object('party', said.party, 'grounds', said.grounds,
              'what_happened', said.what_happened, 'wanted', said.wanted, 'refund', ${amountText('said.refund_micros')},
              'created_at', ${timeText('said.created_at')}) order by said.created_at)
            from market.dispute_statements said where said.dispute_id = dispute.id),
          'appeals', (
            select jsonb_agg(jsonb_build_object('party', fee.party, 'state', fee.state, 'fee', ${amountText('fee.amount_micros')},
              'offered_at', ${timeText('fee.offered_at')}, 'paid_at', ${timeText('fee.paid_at')}, 'ended_at', ${timeText('fee.ended_at')})
              order by fee.offered_at)
            from market.appeal_fees fee where fee.dispute_id = dispute.id),
          'appeal_statements', (
            select jsonb_agg(jsonb_build_object('party', said.party, 'statement', said.statement,
              'created_at', ${timeText('said.created_at')}) order by said.created_at)
            from market.appeal_statements said where said.dispute_id = dispute.id),
          'opened_at', ${timeText('dispute.opened_at')}, 'closed_at', ${timeText('dispute.closed_at')}) as document
        from market.orders traded join market.disputes dispute on dispute.order_id = traded.id
        where traded.buyer_id in ${person.agents} or traded.seller_id in ${person.agents}`,
    },
    {
      name: 'verdicts',
      rows: (person) => sql`
        select verdict.id, jsonb_build_object('urn', ${urnText('verdict', 'verdict.id')}, 'document', verdict.document,
          'key_id', verdict.key_id, 'signature', verdict.signature) as document
        from market.orders traded join market.disputes dispute on dispute.order_id = traded.id
        join market.verdicts verdict on verdict.dispute_id = dispute.id
        where traded.buyer_id in ${person.agents} or traded.seller_id in ${person.agents}`,
    },
  ],
}

const rules = {
  /** How long each state of a dispute lasts at most (states.ts). */
  disputeEvidenceSeconds: DAY,
  preReviewSeconds: 2 * DAY,
  arbitrationSeconds: DAY,
  humanReviewSeconds: 30 * DAY,
  appealWindowSeconds: 3 * DAY,
  /** How many files a side may hand in, to the evidence and to an appeal each, and how large one may be. */
  maxEvidenceFiles: 5,
  maxEvidenceBytes: 10 * 1_048_576,
  /** How long a reviewer has to open a case, and above which price two decide it. */
  reviewerSeconds: 3 * DAY,
  twoReviewersMicros: 1_000_000_000n,
  /** How long the fee of an appeal can be paid. */
  appealPaymentSeconds: DAY,
  /** How long both sides may make statements in an appeal once its fee is paid. */
  appealHearingSeconds: 3 * DAY,
  /** How many appeals of one owner can be open. */
  maxOpenAppeals: 3,
}

/** What the service knows through this folder. */
export const disputes = {
  events: { ...disputeEvents, ...appealEvents },
  problems: disputeProblems,
  rules,
  personalData,
  schema: ['api/trading/disputes/record/schema.sql'],
} satisfies Module
