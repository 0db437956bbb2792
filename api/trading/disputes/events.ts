import { z } from 'zod'
import { amountIn, defineEvents, sha256In, timeIn, urnIn } from '../../platform/events/eventType.ts'
import { aboutOrder } from '../orders/record/events.ts'

/** What every event about a dispute says besides: where the dispute stands. `state` is that of the order. */
const aboutDispute = aboutOrder.extend({
  dispute_urn: urnIn('dispute'),
  dispute_state: z.enum(['open', 'pre_review', 'arbitrating', 'in_review', 'decided', 'executing', 'closed']),
  due_at: timeIn.optional(),
})
const aboutVerdict = aboutDispute.extend({ verdict_urn: urnIn('verdict') })
const aboutAppeal = aboutDispute.extend({ appellant_urn: urnIn('agent'), fee: amountIn })

export const disputeEvents = defineEvents({
  'receipt.disputed': {
    when: 'With order.disputed; keyed by the receipt.',
    payload: aboutDispute,
    isSpecified: true,
  },
  'dispute.opened': {
    when: 'With order.disputed; keyed by the dispute.',
    payload: aboutDispute.extend({ opener_urn: urnIn('agent') }),
    isSpecified: true,
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
  'dispute.flagged_for_human': {
    when: 'A human is to look at the dispute, for these reasons.',
    payload: aboutDispute.extend({ reasons: z.array(z.string()) }),
    isSpecified: true,
  },
  'dispute.decided': {
    when: 'With verdict.signed; keyed by the dispute.',
    payload: aboutVerdict,
    isSpecified: true,
  },
  'dispute.settled': {
    when: 'The parties agreed on a split, or one of them gave in.',
    payload: aboutDispute.extend({
      outcome: z.enum(['settlement', 'concession', 'release']),
      refund: amountIn,
    }),
  },
  'verdict.signed': {
    when: 'There is a verdict. An automated one can be appealed.',
    payload: aboutVerdict,
    isSpecified: true,
  },
  'verdict.resolved': {
    when: 'The money is distributed as the verdict says.',
    payload: aboutVerdict,
    isSpecified: true,
  },
})

export const appealEvents = defineEvents({
  'appeal.opened': {
    when: 'A party appealed the automated verdict, and its fee is paid: a human decides.',
    payload: aboutAppeal,
    isSpecified: true,
  },
  'appeal.lapsed': {
    when: 'The fee of an appeal was not paid in time, or the dispute ended before it was.',
    payload: aboutAppeal,
  },
})
