import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { compileWithTests } from '../../stack/compile.ts'
import { Misuse, readOptions } from '../../terminal/options.ts'
import { showStep } from '../../terminal/progress.ts'

const SEEDS = 2 ** 31
const USAGE = `Usage: ./market test faults [--minutes <n>] [--seed <n>] [--only <words>]

Runs a market of two api, two workers, two facilitators, an indexer, PostgreSQL with a standby and Redis, has it trade in both modes,
and injects every fault of test/faults/kinds/ once, then some at random until the time is over. After each it checks that no money was
lost or doubled, that no event was lost, and that each acknowledged request had its effect once. Prints recovery times.

  --minutes   How long; a round of all faults is finished in any case. Default 10, about one round.
  --seed      The order and the victims, as an earlier run printed them.
  --only      Only faults whose names contain these words.

Full disks need root and Linux, and the faults of the queue need redis-server: what cannot be tried is printed.
Exits with 1 where something did not hold; then the logs of all processes stay.`

/** Runs the tests of faults. Returns the exit code. Throws a Misuse for options that it does not take. */
export async function runFaultTests(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values, positionals } = readOptions(args, { minutes: { ...text, default: '10' }, seed: text, only: text })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  if (positionals.length > 0) throw new Misuse(`test faults does not know ${positionals[0]}.`)
  const minutes = numberOf('minutes', values.minutes)
  const seed = values.seed === undefined ? randomInt(SEEDS) : numberOf('seed', values.seed)
  const { ownMounts } = await import('../../../test/faults/disks.ts')
  const again = ownMounts()
  if (again) return runAgain(again)
  // The market of the tests has contracts that exist only for tests.
  await showStep('Compiling the contracts', compileWithTests)
  const { runFaults } = await import('../../../test/faults/run.ts')
  return runFaults({ minutes, seed, only: values.only, print: (line) => console.log(line) })
}

function numberOf(name: string, given: string): number {
  const number = Number(given)
  if (given === '' || !Number.isInteger(number) || number < 0 || number >= SEEDS)
    throw new Misuse(`--${name} takes a whole number from 0 to ${SEEDS - 1}, not ${given}.`)
  return number
}

/** Runs this program once more, by another command. */
async function runAgain({
  command,
  args,
  env,
}: {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
}): Promise<number> {
  const child = spawn(command, args, { env, stdio: 'inherit' })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.once('error', reject)
  child.once('exit', (code) => resolve(code ?? 1))
  return promise
}
