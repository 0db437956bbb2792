import type { CheckResult } from '../../criteria/results.ts'
import type { Ground } from '../record/grounds.ts'
import type { DeliveryFacts, DisputeFacts } from './disputeFacts.ts'
import { limitsOf, shareOf, withinLimits } from './remedy.ts'

/** The version of these rules. It changes whenever a decision of theirs can change. */
export const RULES_VERSION = 'rules@5'

/**
 * An arbitrator's decision: the amount that the buyer gets back, in micro-units; or that a human must decide.
 */
export type Decision =
  | { kind: 'decided'; refundMicros: bigint; confidence: number; grounds: string }
  | { kind: 'escalated'; reason: string }

/** Why a human decides, and no model: the seller says that the buyer caused or accepted the delay. */
export const DELAY_CONTESTED = 'delay_contested'

const FULL_BPS = 10_000
const MAX_LATE_BPS = 5_000
const MIN_LATE_SECONDS = 900
// The grounds that only a reader can judge.
const NEEDS_READING: readonly Ground[] = ['not_as_described', 'quality', 'copied', 'other']
// A delivery that fails one of these checks is not what was bought. One that fails a check of units may still
// have some units.
const FORM: readonly CheckResult['kind'][] = ['media_types', 'size', 'sha256', 'json_schema', 'exclusive']

/**
 * Decides a dispute by its facts alone: the first rule that fits (docs/disputes.md). The result stays between
 * what the seller offers and the buyer asks for. Grounds are fixed sentences with times, hashes and URNs.
 */
export function decideByRules(facts: DisputeFacts): Decision {
  const unusable = byDelivery(facts)
  if (!unusable && isDelayContested(facts)) return { kind: 'escalated', reason: DELAY_CONTESTED }
  const decision = unusable ?? byGrounds(facts) ?? byCriteria(facts) ?? bySilence(facts)
  if (!decision) return { kind: 'escalated', reason: 'facts_undecided' }
  return { kind: 'decided', ...decision, refundMicros: withinLimits(decision.refundMicros, facts) }
}

/**
 * Decides a dispute that no human decided in time: the buyer gets the refund that the facts prove; otherwise
 * the seller is paid, as for an unrejected delivery.
 */
export function decideByDefault(facts: DisputeFacts): Extract<Decision, { kind: 'decided' }> {
  const proved = byDelivery(facts) ?? {
    ...refundOf(facts, lostBps(facts)),
    grounds:
      'Nobody decided in time, and the facts prove no more against the delivery than what it lacks and its lateness.',
  }
  return { kind: 'decided', ...proved, confidence: 0.3, refundMicros: withinLimits(proved.refundMicros, facts) }
}

type Outcome = Omit<Extract<Decision, { kind: 'decided' }>, 'kind'>

/** Returns the refund that the facts alone prove, in micro-units: no model decides less. */
export function provedRefund(facts: DisputeFacts): bigint {
  return refundOf(facts, lostBps(facts)).refundMicros
}

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
  const failed = failedForm(last)
  if (failed) {
    const grounds = `${named} fails the check of criterion ${failed.number} (${failed.kind}).`
    return { ...refundOf(facts, FULL_BPS), confidence: 0.9, grounds }
  }
  return undefined
}

/** Every ground is refuted, or measured by the clock and by counting. */
function byGrounds(facts: DisputeFacts): Outcome | undefined {
  if (facts.grounds.some((ground) => needsReading(facts, ground))) return undefined
  const bps = lostBps(facts)
  const said = facts.grounds.length === 0 ? 'No ground was given' : `Grounds: ${facts.grounds.join(', ')}`
  const last = judged(facts)
  const grounds =
    bps === 0
      ? `${said}. Delivery ${last?.number} was received with its hash, and nothing on record supports a refund.`
      : `${said}. The first usable delivery was ${lateSeconds(facts)} seconds late for a time of ${facts.sla_seconds}; of the units that were agreed, ${shareBps(facts) / 100}% were delivered.`
  return { ...refundOf(facts, bps), confidence: 0.85, grounds }
}

/** The checks are the whole test, and all of them pass, in time. */
function byCriteria(facts: DisputeFacts): Outcome | undefined {
  const { criteria } = facts
  const last = judged(facts)
  if (!criteria?.is_complete || !last || lateBps(facts) > 0) return undefined
  const passed = last.checks.filter(({ result }) => result === 'pass').length
  if (criteria.byte_checks === 0 || passed !== criteria.byte_checks) return undefined
  const grounds = `Delivery ${last.number} passes all ${passed} checks of the criteria, which are the whole test, in time.`
  return { ...refundOf(facts, 0), confidence: 0.9, grounds }
}

/**
 * Returns whether only a reader can tell if a ground holds. Checks, if made, decide grounds about the format
 * and units.
 */
function needsReading(facts: DisputeFacts, ground: Ground): boolean {
  if (ground === 'wrong_format') return !areMade(facts, ['media_types', 'json_schema'])
  if (ground === 'incomplete') return !areMade(facts, ['units'])
  return NEEDS_READING.includes(ground)
}

/**
 * Returns whether there are checks of these kinds, and all were made. No check of the form can have failed:
 * `byDelivery` ran.
 */
function areMade(facts: DisputeFacts, kinds: readonly CheckResult['kind'][]): boolean {
  const checks = judged(facts)?.checks.filter(({ kind }) => kinds.includes(kind)) ?? []
  return checks.length > 0 && checks.every(({ result }) => result !== 'unchecked')
}

function failedForm({ checks }: DeliveryFacts): CheckResult | undefined {
  return checks.find(({ kind, result }) => result === 'fail' && FORM.includes(kind))
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

/** The refund for missing units, which needs no claim by the buyer, and for a delay that the buyer states. */
function lostBps(facts: DisputeFacts): number {
  const late = facts.grounds.includes('late') ? lateBps(facts) : 0
  return FULL_BPS - Math.floor((shareBps(facts) * (FULL_BPS - late)) / FULL_BPS)
}

/** The share of the agreed units that was delivered: the smallest share if several units are counted. */
function shareBps(facts: DisputeFacts): number {
  const shares = judged(facts)?.checks.map(({ kind, found, expected }) =>
    kind === 'units' && typeof found === 'number' && expected
      ? Math.floor((FULL_BPS * Math.min(found, expected)) / expected)
      : FULL_BPS,
  )
  return Math.min(FULL_BPS, ...(shares ?? []))
}

/**
 * Half the price is lost at twice the agreed time, all of it where time is essential. A quarter of an hour,
 * or 2%, is no delay.
 */
function lateBps(facts: DisputeFacts): number {
  const seconds = lateSeconds(facts)
  if (seconds <= Math.max(MIN_LATE_SECONDS, Math.ceil(facts.sla_seconds / 50))) return 0
  if (facts.criteria?.is_deadline_essential) return FULL_BPS
  return Math.min(MAX_LATE_BPS, Math.ceil((MAX_LATE_BPS * seconds) / facts.sla_seconds))
}

/**
 * Returns whether the buyer claims a delay that counts, and the seller cites a message that the buyer sent
 * before the delivery. Only a reader can tell what the message says.
 */
function isDelayContested(facts: DisputeFacts): boolean {
  const { grounds, late_citations: cited = [] } = facts
  const delivered = firstUsable(facts)
  if (!delivered || !grounds.includes('late') || lateBps(facts) === 0) return false
  return cited.some(({ sent_at }) => Date.parse(sent_at) < Date.parse(delivered.delivered_at))
}

function firstUsable({ deliveries }: DisputeFacts): DeliveryFacts | undefined {
  return deliveries.find((one) => one.has_bytes && !one.is_blank && !failedForm(one))
}

/** The delay of the first usable delivery; later deliveries do not count. */
function lateSeconds(facts: DisputeFacts): number {
  const usable = firstUsable(facts)
  if (!usable) return 0
  return Math.max(0, Math.floor((Date.parse(usable.delivered_at) - Date.parse(usable.due_at)) / 1000))
}

function refundOf(facts: DisputeFacts, bps: number): { refundMicros: bigint } {
  return { refundMicros: shareOf(limitsOf(facts).price, bps) }
}
