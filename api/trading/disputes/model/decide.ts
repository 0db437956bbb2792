import { randomInt } from 'node:crypto'
import type { ModelSettings } from '../../../context.ts'
import { limitsOf, remedyOf, shareOf, withinLimits } from '../facts/remedy.ts'
import { type Decision, provedRefund } from '../facts/rules.ts'
import { visible } from '../screener/characters.ts'
import { NOTED, scoreText } from '../screener/score.ts'
import { type CasePack, type ReadableCase, writeCase } from './case.ts'
import { type Asked, askModel, type Question, type Usage } from './internal/ask.ts'
import { GUARD_PROMPT, type GuardAnswer, guardAnswer, type ModelAnswer, modelAnswer, SYSTEM_PROMPT } from './prompt.ts'

const MAX_VERDICT_TOKENS = 1_200
/** Enough for an answer about each of the most texts that a case has. */
const MAX_GUARD_TOKENS = 10_000

/** The result of a model: a decision, or none because it did not answer. */
export type Judgement = Decision | { kind: 'unanswered' }

const MAX_APART_BPS = 1_000
const MIN_CONFIDENCE = 0.7
const STEP_BPS = 100
const MAX_GROUNDS_CHARACTERS = 800
const [FIRST_MARK, LAST_MARK] = [0xe000, 0xf8ff]
const NOTHING_FLAGGED: Asked<GuardAnswer> = { kind: 'answer', answer: { items: [], criteria: [] } }
const LINK = /https?:\/\/\S+|\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)|[<>*_`#|]/g

/**
 * Has a model decide: it is asked twice at once, with the parties in both orders, and decides only if both
 * answers give the same remedy, at most a tenth of the price apart, and are sure. The result stays between
 * the refund that the facts prove and the one that the buyer asks for. A third call asks whether a text is
 * suspect, unless a reviewer has cleared them all: a human decides if it says so. `deadline` ends a call;
 * `onUsage` receives the cost of each.
 */
export async function decideByModel(
  settings: ModelSettings,
  pack: CasePack,
  deadline: () => AbortSignal,
  onUsage?: (usage: Usage) => void,
): Promise<Judgement> {
  const read = (first: 'buyer' | 'seller') => {
    const mark = String.fromCodePoint(randomInt(FIRST_MARK, LAST_MARK + 1))
    return writeCase(pack, { first, mark })
  }
  const [one, other, guarded] = await Promise.all([
    askModel(settings, judge(read('buyer')), deadline(), onUsage),
    askModel(settings, judge(read('seller')), deadline(), onUsage),
    pack.isCleared ? NOTHING_FLAGGED : askModel(settings, guard(read('buyer')), deadline(), onUsage),
  ])
  if (guarded.kind === 'answer' && isAnyFlagged(guarded.answer)) return escalated('model_suspects_text')
  const asked = [one, other, guarded]
  if (asked.some(({ kind }) => kind === 'unusable')) return escalated('model_answer_unusable')
  if (one.kind !== 'answer' || other.kind !== 'answer' || guarded.kind !== 'answer') return { kind: 'unanswered' }
  return agree(pack, one.answer, other.answer)
}

function isAnyFlagged({ items, criteria }: GuardAnswer): boolean {
  return [...items, ...criteria].some(({ flagged }) => flagged)
}

function agree({ facts }: CasePack, one: ModelAnswer, other: ModelAnswer): Decision {
  const { price } = limitsOf(facts)
  const remedies = [one, other].map(({ refund_bps }) => remedyOf(price, shareOf(price, refund_bps)))
  if (remedies[0] !== remedies[1] || Math.abs(one.refund_bps - other.refund_bps) > MAX_APART_BPS) {
    return escalated('model_disagrees')
  }
  const confidence = Math.min(one.confidence, other.confidence)
  if (confidence < MIN_CONFIDENCE) return escalated('model_unsure')
  const grounds = plain(one.grounds)
  if (grounds === '' || scoreText(grounds).score >= NOTED) return escalated('model_answer_unusable')
  const bps = Math.floor((one.refund_bps + other.refund_bps) / 2 / STEP_BPS) * STEP_BPS
  const refundMicros = withinLimits(atLeast(provedRefund(facts), shareOf(price, bps)), facts)
  return { kind: 'decided', refundMicros, confidence, grounds }
}

function atLeast(leastMicros: bigint, micros: bigint): bigint {
  if (micros < leastMicros) return leastMicros
  return micros
}

function plain(text: string): string {
  return visible(text).replaceAll(LINK, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_GROUNDS_CHARACTERS)
}

function escalated(reason: string): Decision {
  return { kind: 'escalated', reason }
}

/**
 * Asks how much a buyer gets back. Each criterion must be answered once, and refer only to existing items.
 */
function judge({ text, evidenceIds, criterionIds }: ReadableCase): Question<ModelAnswer> {
  const isGrounded = ({ findings }: ModelAnswer) =>
    findings.every(({ evidence_ids }) => evidence_ids.every((id) => evidenceIds.has(id)))
  return {
    ...{ system: SYSTEM_PROMPT, text, schema: modelAnswer, maxOutputTokens: MAX_VERDICT_TOKENS },
    fits: (answer) =>
      isEach(
        answer.findings.map(({ criterion_id }) => criterion_id),
        criterionIds,
      ) && isGrounded(answer),
  }
}

/** Asks for each text whether it is written to steer the judge. Each is answered once. */
function guard({ text, evidenceIds, criterionIds }: ReadableCase): Question<GuardAnswer> {
  return {
    ...{ system: GUARD_PROMPT, text, schema: guardAnswer, maxOutputTokens: MAX_GUARD_TOKENS },
    fits: ({ items, criteria }) => isEach(idsOf(items), evidenceIds) && isEach(idsOf(criteria), criterionIds),
  }
}

function idsOf<Id>(answered: readonly { id: Id }[]): Id[] {
  return answered.map(({ id }) => id)
}

/** Returns whether a list contains each member of a set exactly once, and nothing else. */
function isEach<Id>(listed: readonly Id[], all: ReadonlySet<Id>): boolean {
  return listed.length === all.size && new Set(listed).size === all.size && listed.every((id) => all.has(id))
}
