import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isAlive } from './alive.ts'
import { compileWithTests } from './compile.ts'
import { STATE_DIR } from './paths.ts'
import { startTestServer } from './postgres/testServer.ts'
import { showStep } from './progress.ts'
import { lendChains } from './tests/chains.ts'
import { findTests } from './tests/find.ts'
import { runNodeTests } from './tests/node.ts'
import { runSolidityTests } from './tests/solidity.ts'
import { addUp, NONE, summary, type Totals } from './tests/totals.ts'

const FLAG = { type: 'boolean', default: false } as const
const USAGE = `Usage: ./market test [area | file]… [--deep]

Runs the tests that every change is tried with, or those of an area (a folder of test/, as "contracts" or "api"), or a file.
"rest" names the areas left out where none is named, as they take longest: parts that are killed, put back and lied to at
every point. .ci/run runs both.
--deep fuzzes the contracts, the API by its contract, and the ledger, for minutes instead of seconds.
"mutation" is an area that is run by its name alone: it tests the contracts' tests, which takes a quarter of an hour.
The last line is the sum: N passed, N failed.`
const MUTATION = 'mutation'

/** Runs the tests. Answers 0 when there were some and none failed. */
export async function run(args: string[]): Promise<number> {
  if (args[0] === MUTATION) {
    const { runMutationTests } = await import('./tests/mutation/run.ts')
    return runMutationTests(args.slice(1))
  }
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { deep: FLAG, help: FLAG } })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const selection = await findTests(positionals)
  await removeLogsOfEarlierRuns()
  const totals = addUp([
    selection.solidity ? await counted(() => runSolidityTests(values.deep)) : NONE,
    selection.files.length > 0 ? await counted(() => runFiles(selection.files, values.deep)) : NONE,
  ])
  console.log(summary(totals))
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1
}

async function runFiles(files: readonly string[], deep: boolean): Promise<Totals> {
  await showStep('Compiling the contracts', compileWithTests)
  const adminUrl = await showStep('Starting Postgres', startTestServer)
  const environment = {
    DATABASE_ADMIN_URL: adminUrl,
    CHAINS_URL: await lendChains(),
    ...(deep ? { MARKET_TEST_DEEP: '1' } : {}),
  }
  // What is run for minutes on purpose has limits of its own.
  return runNodeTests(files, { environment, isLimited: !deep })
}

/** A run that does not come to its end is a failed test: the sum is printed whatever happens. */
async function counted(run: () => Promise<Totals>): Promise<Totals> {
  try {
    return await run()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { ...NONE, failed: 1 }
  }
}

// A log is named for the process that wrote it; others may be running tests right now.
async function removeLogsOfEarlierRuns(): Promise<void> {
  const dir = join(STATE_DIR, 'logs/test')
  for (const name of await readdir(dir).catch(() => [])) {
    const writer = Number(name.match(/^[a-z]+-(\d+)/)?.[1])
    if (writer && !isAlive(writer)) await rm(join(dir, name), { recursive: true, force: true })
  }
}
