import type { ModelSettings } from '../context.ts'
import type { CasePack } from '../trading/disputes/model/case.ts'
import { decideByModel, type Judgement } from '../trading/disputes/model/decide.ts'
import { limitsOf } from '../trading/disputes/remedy.ts'
import { decideByRules } from '../trading/disputes/rules.ts'
import { flaggedSides, screen } from '../trading/disputes/screener/screen.ts'
import type { EvaluationCase } from './cases.ts'
import { packOf } from './pack.ts'

const FULL_BPS = 10_000n

/** What came of a case: what the buyer gets back, or undefined where a human is to decide. */
export interface Ruled {
  given: EvaluationCase
  bps: number | undefined
  /** The sides that the screener flagged. */
  flagged: ('buyer' | 'seller')[]
}

/** Decides one pack, as the service does. */
export type Arbitrator = (pack: CasePack) => Promise<Judgement>

/** The arbitrators that can be scored. With a model, rules come first, and whose text is flagged no model reads. */
export function arbitratorOf(model: ModelSettings | undefined): Arbitrator {
  return async (pack) => {
    const decision = decideByRules(pack.facts)
    if (decision.kind === 'decided' || !model || flaggedSides(screen(pack.texts)).length > 0) return decision
    return decideByModel(model, pack, () => AbortSignal.timeout(model.timeoutMs))
  }
}

/** Has an arbitrator decide every case, one after the other. */
export async function ruleAll(cases: readonly EvaluationCase[], arbitrator: Arbitrator): Promise<Ruled[]> {
  const ruled: Ruled[] = []
  for (const given of cases) {
    const pack = await packOf(given)
    const judgement = await arbitrator(pack)
    const { price } = limitsOf(pack.facts)
    const bps = judgement.kind === 'decided' ? Number((judgement.refundMicros * FULL_BPS) / price) : undefined
    ruled.push({ given, bps, flagged: flaggedSides(screen(pack.texts)) })
  }
  return ruled
}
