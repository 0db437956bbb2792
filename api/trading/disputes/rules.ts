import type { DeliveryFacts, DisputeFacts } from './disputeFacts.ts'
import type { Ground } from './grounds.ts'
import { limitsOf, shareOf, withinLimits } from './remedy.ts'

/** The version of these rules. It changes with every change of what they decide. */
export const RULES_VERSION = 'rules@1'

/** What an arbitrator decides: how much the buyer gets back, in micro-units; or that a human must. */
export type Decision =
  | { kind: 'decided'; refundMicros: bigint; confidence: number; grounds: string }
  | { kind: 'escalated'; reason: string }

const FULL_BPS = 10_000
const MAX_LATE_BPS = 5_000
const MIN_LATE_SECONDS = 900
// What only a reader can judge.
const NEEDS_READING: readonly Ground[] = [
  'not_as_described',
  'wrong_format',
  'incomplete',
  'quality',
  'copied',
  'other',
]

/**
 * Decides a dispute by its facts alone: the first rule that fits (docs/disputes.md). The result stays between what the
 * seller offers and the buyer asks for. Grounds are fixed sentences with times, hashes and URNs.
 */
export function decideByRules(facts: DisputeFacts): Decision {
  const decision = byDelivery(facts) ?? byGrounds(facts) ?? bySilence(facts)
  if (!decision) return { kind: 'escalated', reason: 'facts_undecided' }
  return { kind: 'decided', ...decision, refundMicros: withinLimits(decision.refundMicros, facts) }
}

/**
 * Decides what no human came to decide: what the facts prove against the delivery, else the seller is paid, as for a
 * delivery that nobody rejected.
 */
export function decideByDefault(facts: DisputeFacts): Extract<Decision, { kind: 'decided' }> {
  const proved = byDelivery(facts) ?? {
    ...refundOf(facts, claimedLateBps(facts)),
    grounds: 'Nobody decided in time, and the facts prove nothing more against the delivery than its lateness.',
  }
  return { kind: 'decided', ...proved, confidence: 0.3, refundMicros: withinLimits(proved.refundMicros, facts) }
}

type Outcome = Omit<Extract<Decision, { kind: 'decided' }>, 'kind'>

/** Nothing usable was delivered: the price goes back. */
function byDelivery(facts: DisputeFacts): Outcome | undefined {
  const last = judged(facts)
  if (!last) return { ...refundOf(facts, FULL_BPS), confidence: 0.95, grounds: 'No delivery is on record.' }
  const named = `Delivery ${last.number} (${last.message_urn}, SHA-256 ${last.output_hash})`
  if (!last.has_bytes) {
    const grounds = `${named}: the service never received bytes with this hash that it may read.`
    return { ...refundOf(facts, FULL_BPS), confidence: 0.95, grounds }
  }
  if (last.is_blank) {
    return { ...refundOf(facts, FULL_BPS), confidence: 0.95, grounds: `${named} is blank.` }
  }
  return undefined
}

/** Every ground is refuted, or measured by the clock. */
function byGrounds(facts: DisputeFacts): Outcome | undefined {
  if (facts.grounds.some((ground) => NEEDS_READING.includes(ground))) return undefined
  const late = claimedLateBps(facts)
  const said = facts.grounds.length === 0 ? 'No ground was given' : `Grounds: ${facts.grounds.join(', ')}`
  const last = judged(facts)
  const grounds =
    late === 0
      ? `${said}. Delivery ${last?.number} was received with its hash, and nothing on record supports a refund.`
      : `${said}. The first usable delivery was ${lateSeconds(facts)} seconds late for a time of ${facts.sla_seconds}.`
  return { ...refundOf(facts, late), confidence: 0.85, grounds }
}

/** The side that did not open has done nothing since the rejection: the opener gets what it asks for. */
function bySilence(facts: DisputeFacts): Outcome | undefined {
  const silent = facts.opener === 'buyer' ? 'seller' : 'buyer'
  if (facts.acts_since_rejection[silent] > 0) return undefined
  const { requested, offered } = limitsOf(facts)
  return {
    refundMicros: facts.opener === 'buyer' ? requested : offered,
    confidence: 0.7,
    grounds: `The ${silent} has done nothing since the rejection, and did not respond to the dispute.`,
  }
}

/** The delivery that is judged: the last one that is not the same as an earlier one. */
function judged({ deliveries }: DisputeFacts): DeliveryFacts | undefined {
  return deliveries.findLast(({ is_repeated }) => !is_repeated)
}

/** If the buyer claims a delay: half the price is lost at twice the agreed time. A quarter of an hour, or 2%, is no delay. */
function claimedLateBps(facts: DisputeFacts): number {
  if (!facts.grounds.includes('late')) return 0
  const seconds = lateSeconds(facts)
  if (seconds <= Math.max(MIN_LATE_SECONDS, Math.ceil(facts.sla_seconds / 50))) return 0
  return Math.min(MAX_LATE_BPS, Math.ceil((MAX_LATE_BPS * seconds) / facts.sla_seconds))
}

/** By how much the first usable delivery missed its time, whatever came after it. */
function lateSeconds({ deliveries }: DisputeFacts): number {
  const usable = deliveries.find(({ has_bytes, is_blank }) => has_bytes && !is_blank)
  if (!usable) return 0
  return Math.max(0, Math.floor((Date.parse(usable.delivered_at) - Date.parse(usable.due_at)) / 1000))
}

function refundOf(facts: DisputeFacts, bps: number): { refundMicros: bigint } {
  return { refundMicros: shareOf(limitsOf(facts).price, bps) }
}
