import { givenEnvironment } from '../machine/env.ts'
import { DONE, FAILED, Misuse, readOptions } from '../terminal/options.ts'
import { addressChecks } from './addresses.ts'
import { chainChecks } from './chain.ts'
import { type Check, type Finding, LIMIT_MS, reasonOf, runCheck } from './check.ts'
import { clockChecks } from './clocks.ts'
import { databaseChecks } from './databases.ts'
import { folderChecks } from './folders.ts'
import { type Place, PROCESSES, type ProcessName, readPlace } from './place.ts'
import { portChecks } from './ports.ts'
import { redisChecks } from './redis.ts'
import { roleChecks } from './roles.ts'
import { secretFileChecks } from './secretFiles.ts'

const USAGE = `Usage: ./market doctor ${PROCESSES.join('|')} [--json]

Checks the environment of a process before it starts, or while it runs, and says each fault with its cure: settings, secret files,
databases, roles, node, contracts, gas, clocks, folders, ports, addresses and Redis. Run it with that process's environment and as
its account. \`migrate\` checks the environment of ./market migrate. Changes nothing. Exits 1 if anything is wrong.`

const SETTINGS = 'settings'
const SUBJECTS: readonly ((place: Place) => Check[])[] = [
  ...[databaseChecks, roleChecks, chainChecks, clockChecks],
  ...[folderChecks, portChecks, addressChecks, redisChecks],
]

/** Checks an environment and prints what it finds. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {})
  if (values.help) {
    console.log(USAGE)
    return DONE
  }
  const name = PROCESSES.find((known) => known === positionals[0])
  if (name === undefined || positionals.length > 1)
    throw new Misuse(`Say whose environment is to be checked: ./market doctor ${PROCESSES.join('|')}`)
  const findings = await examine(name, givenEnvironment())
  const isWell = findings.every(({ faults }) => faults.length === 0)
  console.log(values.json ? JSON.stringify({ process: name, ok: isWell, checks: findings }) : reportOf(name, findings))
  const code = isWell ? DONE : FAILED
  // What hangs would keep this process.
  if (findings.some(({ hung }) => hung)) process.exit(code)
  return code
}

/** Checks the environment of a process. With invalid settings only the files that it names are checked besides. */
export async function examine(name: ProcessName, env: NodeJS.ProcessEnv, limitMs = LIMIT_MS): Promise<Finding[]> {
  const files = await runAll(secretFileChecks(env), limitMs)
  try {
    const place = await readPlace(name, env)
    const checks = SUBJECTS.flatMap((subject) => subject(place))
    return [{ check: SETTINGS, faults: [], hung: false }, ...files, ...(await runAll(checks, limitMs))]
  } catch (error) {
    const cure = 'set it as docs/operate/environment.md says; the other checks wait for it'
    const [first = '', ...named] = reasonOf(error).split('\n')
    const faults = (named.length > 0 ? named : [first]).map((line) => ({ fault: line.trim(), cure }))
    return [{ check: SETTINGS, faults, hung: false }, ...files]
  }
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
