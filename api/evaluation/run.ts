import type { ModelSettings } from '../context.ts'
import { limitsOf } from '../trading/disputes/facts/remedy.ts'
import { DELAY_CONTESTED, decideByRules } from '../trading/disputes/facts/rules.ts'
import type { CasePack } from '../trading/disputes/model/case.ts'
import { decideByModel, type Judgement } from '../trading/disputes/model/decide.ts'
import { flaggedSides, screen } from '../trading/disputes/screener/screen.ts'
import type { EvaluationCase } from './format.ts'
import { packOf } from './pack.ts'

const FULL_BPS = 10_000n
/** Two calls that decide, and one that looks for suspect text. */
const CALLS_A_CASE = 3

/** The calls and tokens that it took to ask a model about a case. */
export interface Asking {
  calls: number
  inputTokens: number
  outputTokens: number
}

/** The outcome of a case. `bps` is the buyer's refund, or undefined if a human is to decide. */
export interface Ruled {
  given: EvaluationCase
  bps: number | undefined
  /** The reason code that says why a human is to decide. */
  reason: string | undefined
  /** The sides that the screener flagged. */
  flagged: ('buyer' | 'seller')[]
  tookMs: number
  /** Undefined if no model was asked. */
  asking: Asking | undefined
}

/** Decides one pack, as the service does. `asking` is set if a model was asked. */
export type Arbitrator = (pack: CasePack) => Promise<{ judgement: Judgement; asking?: Asking | undefined }>

/**
 * Returns an arbitrator to score. Rules decide first. A model, if given, decides the rest, except cases with
 * flagged text.
 */
export function arbitratorOf(model: ModelSettings | undefined): Arbitrator {
  return async (pack) => {
    const judgement = decideByRules(pack.facts)
    if (
      judgement.kind === 'decided' ||
      judgement.reason === DELAY_CONTESTED ||
      !model ||
      flaggedSides(screen(pack.texts)).length > 0
    )
      return { judgement }
    const asking = { calls: CALLS_A_CASE, inputTokens: 0, outputTokens: 0 }
    const byModel = await decideByModel(
      model,
      pack,
      () => AbortSignal.timeout(model.timeoutMs),
      ({ inputTokens, outputTokens }) => {
        asking.inputTokens += inputTokens
        asking.outputTokens += outputTokens
      },
    )
    return { judgement: byModel, asking }
  }
}

/** Has an arbitrator decide every case, one after the other. */
export async function ruleAll(cases: readonly EvaluationCase[], arbitrator: Arbitrator): Promise<Ruled[]> {
  const ruled: Ruled[] = []
  for (const given of cases) ruled.push(await rule(given, arbitrator))
  return ruled
}

async function rule(given: EvaluationCase, arbitrator: Arbitrator): Promise<Ruled> {
  const pack = await packOf(given)
  const begunMs = performance.now()
  const { judgement, asking } = await arbitrator(pack)
  const tookMs = performance.now() - begunMs
  const { price } = limitsOf(pack.facts)
  return {
    ...{ given, tookMs, asking, flagged: flaggedSides(screen(pack.texts)) },
    bps: judgement.kind === 'decided' ? Number((judgement.refundMicros * FULL_BPS) / price) : undefined,
    reason:
      judgement.kind === 'escalated' ? judgement.reason : judgement.kind === 'unanswered' ? 'unanswered' : undefined,
  }
}

/**
 * Rules every case the same, whatever is in it: with `bps`, or, if that is undefined, by leaving it to a
 * human.
 */
export function alwaysRuled(cases: readonly EvaluationCase[], bps: number | undefined): Ruled[] {
  const nothing = { flagged: [], tookMs: 0, asking: undefined, reason: bps === undefined ? 'always' : undefined }
  return cases.map((given) => ({ given, bps, ...nothing }))
}
