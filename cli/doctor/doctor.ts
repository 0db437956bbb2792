import { givenEnvironment } from '../machine/env.ts'
import { DONE, FAILED, Misuse, readOptions } from '../terminal/options.ts'
import { addressChecks } from './internal/addresses.ts'
import { chainChecks, signerChecks } from './internal/chain.ts'
import { type Check, type Finding, LIMIT_MS, runCheck } from './internal/check.ts'
import { clockChecks } from './internal/clocks.ts'
import { databaseChecks } from './internal/databases.ts'
import { folderChecks } from './internal/folders.ts'
import { type Place, PROCESSES, type ProcessName } from './internal/place.ts'
import { portChecks } from './internal/ports.ts'
import { redisChecks } from './internal/redis.ts'
import { roleChecks } from './internal/roles.ts'
import { secretFileChecks } from './internal/secretFiles.ts'
import { becomeAccount, readUnit, UNITS } from './internal/unit.ts'
import { readWhatIsValid } from './internal/validSettings.ts'

const USAGE = `Usage: ./market doctor ${PROCESSES.join('|')} [--json]
       ./market doctor --unit <unit> [--json]

Checks the environment of a process before it starts, or while it runs, and says each fault with its cure: settings, secret files,
databases, roles, node, contracts, gas, clocks, folders, ports, addresses and Redis. Run it with that process's environment and as
its account. \`migrate\` checks the environment of ./market migrate. Changes nothing. Exits 1 if anything is wrong.

  --unit  a service of ${UNITS}, such as market-api@8080: takes environment, secrets and account from it. For root`

const SETTINGS = 'settings'
const SUBJECTS: readonly ((place: Place) => Check[])[] = [
  ...[databaseChecks, roleChecks, chainChecks, signerChecks, clockChecks],
  ...[folderChecks, portChecks, addressChecks, redisChecks],
]

/** Checks an environment and prints what it finds. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { unit: { type: 'string' } })
  if (values.help) {
    console.log(USAGE)
    return DONE
  }
  const unit = values.unit === undefined ? undefined : await readUnit(values.unit)
  const named = unit ? [unit.command.at(-1), ...positionals] : positionals
  const name = PROCESSES.find((known) => known === named[0])
  if (name === undefined || named.length > 1)
    throw new Misuse(`Say whose environment is to be checked: ./market doctor ${PROCESSES.join('|')}`)
  const findings = await (unit ? examine(name, unit.env, { user: unit.user }) : examine(name, givenEnvironment()))
  const isWell = findings.every(({ faults }) => faults.length === 0)
  console.log(values.json ? JSON.stringify({ process: name, ok: isWell, checks: findings }) : reportOf(name, findings))
  const code = isWell ? DONE : FAILED
  // What hangs would keep this process.
  if (findings.some(({ hung }) => hung)) process.exit(code)
  return code
}

interface ExamineOptions {
  limitMs?: number
  /** The account to go on as once the settings are read. */
  user?: string
}

/**
 * Checks the environment of a process. With invalid settings, what they do not concern is checked all the
 * same.
 */
export async function examine(
  name: ProcessName,
  env: NodeJS.ProcessEnv,
  { limitMs = LIMIT_MS, user }: ExamineOptions = {},
): Promise<Finding[]> {
  const files = await runAll(secretFileChecks(env), limitMs)
  const { place, faults } = await readWhatIsValid(name, env)
  if (user !== undefined) becomeAccount(user)
  const checks = place ? SUBJECTS.flatMap((subject) => subject(place)) : []
  return [{ check: SETTINGS, faults, hung: false }, ...files, ...(await runAll(checks, limitMs))]
}

function runAll(checks: readonly Check[], limitMs: number): Promise<Finding[]> {
  return Promise.all(checks.map((check) => runCheck(check, limitMs)))
}

function reportOf(name: string, findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, faults }) =>
    faults.length === 0
      ? [`ok     ${check}`]
      : faults.map(({ fault, cure }) => `FAULT  ${check}: ${fault}\n       cure: ${cure}`),
  )
  const count = findings.flatMap(({ faults }) => faults).length
  const end =
    count === 0
      ? `The environment of ${name} is in order.`
      : `${count} ${count === 1 ? 'fault' : 'faults'} in the environment of ${name}.`
  return [...lines, '', end].join('\n')
}
