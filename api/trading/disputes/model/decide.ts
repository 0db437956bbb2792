import { randomInt } from 'node:crypto'
import type { ModelSettings } from '../../../context.ts'
import { limitsOf, remedyOf, shareOf, withinLimits } from '../remedy.ts'
import { type Decision, provedRefund } from '../rules.ts'
import { visible } from '../screener/characters.ts'
import { NOTED, scoreText } from '../screener/score.ts'
import { askModel, type Usage } from './ask.ts'
import { type CasePack, writeCase } from './case.ts'
import type { ModelAnswer } from './prompt.ts'

/** What a model leaves: a decision, or that none came of it because nothing answered. */
export type Judgement = Decision | { kind: 'unanswered' }

const MAX_APART_BPS = 1_000
const MIN_CONFIDENCE = 0.7
const STEP_BPS = 100
const MAX_GROUNDS_CHARACTERS = 800
const [FIRST_MARK, LAST_MARK] = [0xe000, 0xf8ff]
const LINK = /https?:\/\/\S+|\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)|[<>*_`#|]/g

/**
 * Has a model decide: it is asked twice at once, with the parties in both orders, and decides only if both answers give the same
 * remedy, at most a tenth of the price apart, and are sure. The result stays between what the facts prove and what the buyer asks for.
 * `deadline` ends a call; `onUsage` is told what each took.
 */
export async function decideByModel(
  settings: ModelSettings,
  pack: CasePack,
  deadline: () => AbortSignal,
  onUsage?: (usage: Usage) => void,
): Promise<Judgement> {
  const ask = (first: 'buyer' | 'seller') => {
    const mark = String.fromCodePoint(randomInt(FIRST_MARK, LAST_MARK + 1))
    return askModel(settings, writeCase(pack, { first, mark }), deadline(), onUsage)
  }
  const [one, other] = await Promise.all([ask('buyer'), ask('seller')])
  if (one.kind === 'unusable' || other.kind === 'unusable') return escalated('model_answer_unusable')
  if (one.kind === 'none' || other.kind === 'none') return { kind: 'unanswered' }
  return agree(pack, one.answer, other.answer)
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
