import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { setForChildren } from '../../../../machine/env.ts'
import { ROOT, STATE_DIR } from '../../../../machine/paths.ts'
import { endWithUs, forget } from '../../../../machine/reaper.ts'
import { compileWithTests } from '../../../../stack/compile.ts'
import { startTestServer } from '../../../../stack/postgres/testServer.ts'
import { Misuse, readOptions } from '../../../../terminal/options.ts'
import { showStep } from '../../../../terminal/progress.ts'
import { lendChains } from '../../chains.ts'
import { type Group, groupsOf } from '../internal/changed/groups.ts'
import { changedLines } from '../internal/changed/lines.ts'
import type { Room } from '../internal/typescript/rooms.ts'

const MAX_MINUTES = 10
/**
 * A mistake costs about so much; the first run of a group, without one, about as much as the rest needs at
 * least.
 */
const SECONDS_A_MUTANT = 4
const MIN_GROUP_SECONDS = 45
const NOTICED: readonly string[] = ['Killed', 'Timeout', 'RuntimeError']
const UNNOTICED: readonly string[] = ['Survived', 'NoCoverage']
const JUDGE = fileURLToPath(new URL('../internal/changed/judge.ts', import.meta.url))
const USAGE = `Usage: ./market test mutants [--since <commit>] [--minutes <n>]

Puts mistakes into the lines of TypeScript that differ from a commit, one at a time, runs the tests nearest to each, and prints the
mistakes that no test noticed. Takes a sample where not all can be tried in time. The score fails nothing.

  --since     The commit. Default: that of the last release (releases.json).
  --minutes   How long at most, from 1 to ${MAX_MINUTES}. Default ${MAX_MINUTES}.`

/** What a process of its own tries: every so many mistakes of a room. */
export interface Trial {
  name: string
  room: Room
  every: number
}

/**
 * Runs the tests of the tests on what has changed. Returns the exit code. Throws a Misuse for options that it
 * does not take.
 */
export async function runChangedMutation(args: string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values, positionals } = readOptions(args, { since: text, minutes: { ...text, default: String(MAX_MINUTES) } })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  if (positionals.length > 0) throw new Misuse(`test mutants does not know ${positionals[0]}.`)
  const minutes = Number(values.minutes)
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_MINUTES)
    throw new Misuse(`--minutes takes a whole number from 1 to ${MAX_MINUTES}, not ${values.minutes}.`)
  const endsMs = performance.now() + minutes * 60_000
  const { groups, without } = groupsOf(changedLines(values.since ?? lastRelease()))
  for (const path of without) console.log(`There are no tests near ${path}.`)
  if (groups.length > 0) await judge(groups, endsMs)
  return 0
}

async function judge(groups: readonly Group[], endsMs: number): Promise<void> {
  await showStep('Compiling the contracts', compileWithTests)
  setForChildren({ DATABASE_ADMIN_URL: await startTestServer(), CHAINS_URL: await lendChains() })
  const secondsLeft = () => (endsMs - performance.now()) / 1000
  let linesLeft = groups.reduce((sum, { lines }) => sum + lines, 0)
  const all: string[] = []
  for (const [index, group] of groups.entries()) {
    if (secondsLeft() < MIN_GROUP_SECONDS) {
      console.log(`${groups.length - index} of ${groups.length} groups of tests had no time.`)
      break
    }
    const seconds = Math.min(secondsLeft(), Math.max(MIN_GROUP_SECONDS, (secondsLeft() * group.lines) / linesLeft))
    linesLeft -= group.lines
    all.push(...(await judgeGroup(`changed-${index}`, group, seconds)))
  }
  const noticed = all.filter((status) => NOTICED.includes(status)).length
  const tried = noticed + all.filter((status) => UNNOTICED.includes(status)).length
  const share = tried > 0 ? ` (${Math.round((100 * noticed) / tried)}%)` : ''
  console.log(`mutants: ${noticed} of ${tried} noticed${share}`)
}

/** Returns what became of each mistake of a group that was tried until its time was over. */
async function judgeGroup(name: string, { room, lines }: Group, seconds: number): Promise<string[]> {
  const every = Math.max(1, Math.ceil((lines * SECONDS_A_MUTANT) / seconds))
  const found: string[] = []
  await showStep(`Testing one in ${every} mistakes in ${lines} lines with ${room.tests}`, async () => {
    const trial: Trial = { name, room, every }
    const child = fork(JUDGE, [JSON.stringify(trial)], { detached: true })
    const { pid } = child
    if (pid === undefined) throw new Error('no process could be started')
    endWithUs(pid)
    child.on('message', (status) => found.push(String(status)))
    const over = setTimeout(() => process.kill(-pid, 'SIGKILL'), seconds * 1000)
    await once(child, 'exit')
    clearTimeout(over)
    forget(pid)
    await rm(`${STATE_DIR}mutation/${pid}-${name}`, { recursive: true, force: true })
  })
  return found
}

function lastRelease(): string {
  const releases = JSON.parse(readFileSync(`${ROOT}releases.json`, 'utf8')) as { commit: string }[]
  return releases.at(-1)?.commit ?? 'HEAD~1'
}
