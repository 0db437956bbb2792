import { existsSync } from 'node:fs'
import { ROOT } from '../../../machine/paths.ts'
import { compileWithTests } from '../../../stack/compile.ts'
import { showStep } from '../../../terminal/progress.ts'
import type { Totals } from '../totals.ts'
import { isOfTypeScript, readArgued } from './argued.ts'
import { parse } from './compiler.ts'
import { findMutants, type Mutant } from './mutants.ts'
import type { Question } from './outcome.ts'
import { judgeAll } from './pool.ts'
import { report } from './report.ts'
import { type Judged, scoreOf, totalsOf } from './score.ts'

const GOAL_PERCENT = 95
const PROGRESS_EVERY = 50

/**
 * Inserts one mistake at a time into the contracts and runs their tests on each: a mistake that no test
 * detects reveals a missing test. `names` are functions (`release`, `Escrow.release`); every `every`-th
 * mistake is taken. Each killed mutant counts as passed. Survivors count as failed when the score misses the
 * goal, and so does each argument that no longer holds.
 */
export async function runContractMutation(names: readonly string[], every: number): Promise<Totals> {
  await showStep('Compiling the contracts', compileWithTests)
  const mutants = select(findMutants(parse()), names, every)
  const argued = (await readArgued()).filter((key) => !isOfTypeScript(key))
  const isWhole = names.length === 0 && every === 1
  const relevant = isWhole ? argued : argued.filter((key) => mutants.some((mutant) => mutant.key === key))
  const judged = await judgeMutants(mutants, relevant)
  const score = scoreOf(judged, relevant)
  console.log(report('the contract', score, GOAL_PERCENT))
  return totalsOf(score, GOAL_PERCENT)
}

function select(mutants: readonly Mutant[], names: readonly string[], every: number): Mutant[] {
  const isNamed = ({ owner }: Mutant) => names.length === 0 || names.some((name) => `.${owner}`.endsWith(`.${name}`))
  const selected = mutants.filter(isNamed).filter((_, index) => index % every === 0)
  if (selected.length === 0)
    throw new Error(`There is nothing to mutate in ${names.join(' and ') || 'the contracts'}, every ${every} counted.`)
  return selected
}

/** Tests quickly first, then tests survivors that are not argued again with everything the tests have. */
async function judgeMutants(mutants: readonly Mutant[], argued: readonly string[]): Promise<Judged[]> {
  const outcomes = await judgeStage(mutants, false, `Testing ${mutants.length} mutants`)
  const survived = mutants.flatMap(({ key }, index) =>
    outcomes[index]?.outcome.kind === 'survived' && !argued.includes(key) ? [index] : [],
  )
  const again = survived.flatMap((index) => mutants[index] ?? [])
  const thorough = await judgeStage(again, true, `Testing the ${again.length} that survived, with all runs`)
  for (const [at, index] of survived.entries()) outcomes[index] = thorough[at] as Judged
  return outcomes
}

async function judgeStage(mutants: readonly Mutant[], thorough: boolean, title: string): Promise<Judged[]> {
  const judged: Judged[] = []
  if (mutants.length === 0) return judged
  let done = 0
  await showStep(title, () =>
    judgeAll(
      mutants.map((mutant) => questionOf(mutant, thorough)),
      (index, outcome) => {
        const mutant = mutants[index] as Mutant
        judged[index] = { mutant, outcome }
        // Printed at once, for readers who do not wait for the end.
        if (outcome.kind === 'survived') console.error(`  survived so far: ${mutant.path}:${mutant.line} ${mutant.key}`)
        if (++done % PROGRESS_EVERY === 0) console.error(`  ${done} of ${mutants.length}`)
      },
    ),
  )
  return judged
}

function questionOf({ path, text, owner }: Mutant, thorough: boolean): Question {
  // A function's own tests are in the file of its name.
  const likely = `test/contracts/Escrow/${owner.split('.')[1]?.replace(/^_/, '')}.t.sol`
  return { path, text, likely: existsSync(ROOT + likely) ? likely : undefined, thorough }
}
