import type { Totals } from '../../totals.ts'

/** What ended a mutant whose tests did not end. */
export const TIMEOUT = 'the timeout'

/** A source with one mistake. */
export interface Mutant {
  /** Independent of line numbers: "audit/holds.ts: `a` → `b`", numbered if there are several. */
  key: string
  path: string
  line: number
  /** The kind of mistake. */
  operator: string
  /** The lines that changed, before and after. */
  before: string
  after: string
}

/** The result for a mutant. */
export type Outcome =
  | { kind: 'killed'; by: string }
  | { kind: 'survived' }
  /** It does not compile. */
  | { kind: 'stillborn' }

/** A mutant and its outcome. */
export interface Judged {
  mutant: Mutant
  outcome: Outcome
}

/** The result of a run. */
export interface Score {
  killed: Judged[]
  timeouts: Judged[]
  /** Neither killed nor argued. */
  survivors: Mutant[]
  /** Survivors for which the page of arguments explains why no test can kill them. */
  argued: Mutant[]
  /** Entries of that page that no longer hold: their mutant no longer exists, or was killed. */
  stale: string[]
  stillborn: number
  /** Killed of all that can be killed, in percent. */
  percent: number
}

/** Returns the score of a run. `arguedKeys` are the entries for the mutants of this run. */
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
    stillborn: of('stillborn').length,
    percent: counted === 0 ? 0 : (100 * killed.length) / counted,
  }
}

/**
 * A killed mutant has passed. Survivors have failed where the score misses the goal, and arguments that no
 * longer hold.
 */
export function totalsOf({ killed, survivors, argued, stale, percent }: Score, goalPercent: number): Totals {
  const failed = (percent < goalPercent ? survivors.length : 0) + stale.length
  return { passed: killed.length, failed, skipped: argued.length }
}
