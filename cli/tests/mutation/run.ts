import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compileWithTests } from '../../compile.ts'
import { ROOT } from '../../paths.ts'
import { showStep } from '../../progress.ts'
import { summary } from '../totals.ts'
import { readArgued } from './argued.ts'
import { parse } from './compiler.ts'
import { findMutants, type Mutant } from './mutants.ts'
import type { Question } from './outcome.ts'
import { judgeAll } from './pool.ts'
import { report } from './report.ts'
import { type Judged, scoreOf } from './score.ts'

const GOAL_PERCENT = 95
const PROGRESS_EVERY = 50

const USAGE = `Usage: ./market test mutation [--every <n>] [function | contract.function]…

Puts one mistake after another into the contracts and runs their tests on each: a mistake that no test notices is a test
that is missing. All mistakes, or those in some functions, or every n-th. Fails below a score of ${GOAL_PERCENT}%.`

/** Runs the mutation tests. Answers 1 when the score misses the goal, or an argued survivor survives no more. */
export async function runMutationTests(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { every: { type: 'string', default: '1' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const every = Number(values.every)
  if (!Number.isInteger(every) || every < 1)
    throw new Error(`--every takes a whole number from 1, not ${values.every}.`)
  await showStep('Compiling the contracts', compileWithTests)
  const mutants = select(findMutants(parse()), positionals, every)
  const argued = await readArgued()
  const isWhole = positionals.length === 0 && every === 1
  const relevant = isWhole ? argued : argued.filter((key) => mutants.some((mutant) => mutant.key === key))
  const judged = await judgeMutants(mutants, relevant)
  const score = scoreOf(judged, relevant)
  console.log(report(score, GOAL_PERCENT))
  const failed = score.survivors.length + score.stale.length
  console.log(summary({ passed: score.killed.length, failed, skipped: score.argued.length }))
  return score.percent < GOAL_PERCENT || score.stale.length > 0 ? 1 : 0
}

function select(mutants: readonly Mutant[], names: readonly string[], every: number): Mutant[] {
  const isNamed = ({ owner }: Mutant) => names.length === 0 || names.some((name) => `.${owner}`.endsWith(`.${name}`))
  const selected = mutants.filter(isNamed).filter((_, index) => index % every === 0)
  if (selected.length === 0)
    throw new Error(`There is nothing to mutate in ${names.join(' and ') || 'the contracts'}, every ${every} counted.`)
  return selected
}

/** Quickly first; who survives that, and is not argued, again with everything the tests have. */
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
        // Said at once, for whoever does not wait for the end.
        if (outcome.kind === 'survived') console.error(`  survived so far: ${mutant.path}:${mutant.line} ${mutant.key}`)
        if (++done % PROGRESS_EVERY === 0) console.error(`  ${done} of ${mutants.length}`)
      },
    ),
  )
  return judged
}

function questionOf({ path, text, owner }: Mutant, thorough: boolean): Question {
  // A function's own tests are in a file of its name.
  const likely = `test/contracts/Escrow/${owner.split('.')[1]?.replace(/^_/, '')}.t.sol`
  return { path, text, likely: existsSync(ROOT + likely) ? likely : undefined, thorough }
}
