import type { Mutant } from './mutants.ts'
import type { Outcome } from './outcome.ts'
import { TIMEOUT } from './pool.ts'

/** A mutant and what became of it. */
export interface Judged {
  mutant: Mutant
  outcome: Outcome
}

/** What a run showed. */
export interface Score {
  killed: Judged[]
  timeouts: Judged[]
  /** Neither killed nor argued. */
  survivors: Mutant[]
  /** They survived, and the page of arguments says why nothing could kill them. */
  argued: Mutant[]
  /** Entries of that page that no longer hold: their mutant is gone, or was killed. */
  stale: string[]
  equivalent: number
  stillborn: number
  /** Killed of all that could be, in percent. */
  percent: number
}

/** Sums a run up. `arguedKeys` are the entries that concern the mutants of this run. */
export function scoreOf(judged: readonly Judged[], arguedKeys: readonly string[]): Score {
  const of = (kind: Outcome['kind']) => judged.filter(({ outcome }) => outcome.kind === kind)
  const survived = of('survived').map(({ mutant }) => mutant)
  const argued = survived.filter(({ key }) => arguedKeys.includes(key))
  const survivors = survived.filter((mutant) => !argued.includes(mutant))
  const killed = of('killed')
  const counted = killed.length + survivors.length
  return {
    killed,
    timeouts: killed.filter(({ outcome }) => outcome.kind === 'killed' && outcome.by === TIMEOUT),
    survivors,
    argued,
    stale: arguedKeys.filter((key) => !argued.some((mutant) => mutant.key === key)),
    equivalent: of('equivalent').length,
    stillborn: of('stillborn').length,
    percent: counted === 0 ? 0 : (100 * killed.length) / counted,
  }
}
