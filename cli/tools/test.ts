import { readdir, rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isAlive } from '../machine/alive.ts'
import { STATE_DIR } from '../machine/paths.ts'
import { compileWithTests } from '../stack/compile.ts'
import { startTestServer } from '../stack/postgres/testServer.ts'
import { showStep } from '../terminal/progress.ts'
import { lendChains } from './tests/chains.ts'
import { runNodeTests } from './tests/node.ts'
import { runSolidityTests } from './tests/solidity.ts'
import { findTests, type TestSelection } from './tests/tiers.ts'
import { addUp, NONE, summary, type Totals } from './tests/totals.ts'

const DEEP = 'deep'
const MUTATION = 'mutation'
const FAULTS = 'faults'
const MUTANTS = 'mutants'
const USAGE = `Usage: ./market test [area | file]…
       ./market test system
       ./market test deep [area | file]…
       ./market test deep mutation [--every <n>] [room | file]…
       ./market test mutants [--since <commit>] [--minutes <n>]
       ./market test faults [--minutes <n>] [--seed <n>] [--only <words>]

  test          For every change, in less than five minutes: the contract, every verb over HTTP, the ledger, the
                facilitator; on real processes one trade in each mode, one kill, one restore and one reorganisation.
  test system   Before a merge: real processes that are killed, restored, reorganised and lied to at every other point.
  test deep     Before a release: the tests that generate their input run for minutes each, then the tests of the tests:
                mistakes are put into what pays and proves, and the tests must notice them
                (cli/tools/tests/mutation/README.md).
  test mutants  For a change: puts mistakes into the lines that differ from a commit and prints those that no test notices.
                ./market test mutants --help tells more.
  test faults   Before a release, and by hand: everything that can fail does, at random, in a market that trades.
                ./market test faults --help tells more.

An area is a folder of test/, as "contracts" or "api/trading/orders". cli/tools/tests/tiers.ts lists what belongs to which tier.
The last line is the sum: N passed, N failed.`

/** Runs the tests. Returns 0 when there were some and none failed. */
export async function run(args: string[]): Promise<number> {
  if (args[0] === DEEP && args[1] === MUTATION && !args.includes('--help'))
    return finish(await runMutation(args.slice(2)))
  if (args[0] === FAULTS) return (await import('./tests/faults.ts')).runFaultTests(args.slice(1))
  if (args[0] === MUTANTS) return (await import('./tests/mutation/changed/run.ts')).runChangedMutation(args.slice(1))
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { help: { type: 'boolean' } } })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const isDeep = positionals[0] === DEEP
  const names = isDeep ? positionals.slice(1) : positionals
  await removeLogsOfEarlierRuns()
  const [load = 0, startedMs] = [loadavg()[0], performance.now()]
  const totals = await runSelected(await findTests(names, { isDeep }), isDeep)
  const busy = load > availableParallelism() / 2 ? `, on a machine that was busy before (load ${load.toFixed(1)})` : ''
  console.log(`The tests took ${Math.round((performance.now() - startedMs) / 1000)} s${busy}.`)
  return finish(isDeep && names.length === 0 ? addUp([totals, await runMutation([])]) : totals)
}

function finish(totals: Totals): number {
  console.log(summary(totals))
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1
}

function runSelected({ solidity, files }: TestSelection, isDeep: boolean): Promise<Totals> {
  return counted(async () => {
    await showStep('Compiling the contracts', compileWithTests)
    return addUp(
      await Promise.all([
        solidity ? counted(() => runSolidityTests(isDeep)) : NONE,
        files.length > 0 ? counted(() => runFiles(files, isDeep)) : NONE,
      ]),
    )
  })
}

async function runFiles(files: readonly string[], isDeep: boolean): Promise<Totals> {
  const adminUrl = await showStep('Starting Postgres', startTestServer)
  const environment = {
    DATABASE_ADMIN_URL: adminUrl,
    CHAINS_URL: await lendChains(),
    ...(isDeep ? { MARKET_TEST_DEEP: '1' } : {}),
  }
  // A deep run has no time limit.
  return runNodeTests(files, { environment, isLimited: !isDeep })
}

function runMutation(args: string[]): Promise<Totals> {
  return counted(async () => (await import('./tests/mutation/run.ts')).runMutationTests(args))
}

/** Runs tests. A run that throws counts as one failed test, so that the summary is always printed. */
async function counted(run: () => Promise<Totals>): Promise<Totals> {
  try {
    return await run()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { ...NONE, failed: 1 }
  }
}

// A log has its process's name. Other processes may be running tests at the same time.
async function removeLogsOfEarlierRuns(): Promise<void> {
  const dir = join(STATE_DIR, 'logs/test')
  for (const name of await readdir(dir).catch(() => [])) {
    const writer = Number(name.match(/^[a-z]+-(\d+)/)?.[1])
    if (writer && !isAlive(writer)) await rm(join(dir, name), { recursive: true, force: true })
  }
}
