import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { setForChildren } from '../../../../../machine/env.ts'
import { ROOT } from '../../../../../machine/paths.ts'
import { compileWithTests } from '../../../../../stack/compile.ts'
import { startTestServer } from '../../../../../stack/postgres/testServer.ts'
import { showStep } from '../../../../../terminal/progress.ts'
import { lendChains } from '../../../chains.ts'
import type { Totals } from '../../../totals.ts'
import { readArgued } from '../argued.ts'
import { report } from '../report.ts'
import { type Judged, type Outcome, scoreOf, TIMEOUT, totalsOf } from '../score.ts'
import { LEFT_OUT } from './plugins.ts'
import type { Room } from './rooms.ts'
import { judgeRoom, type Selection } from './stryker.ts'

const GOAL_PERCENT = 85
const SHOWN_LENGTH = 100

/**
 * Puts one mistake at a time into a room's sources, runs the room's tests on each, and prints the survivors
 * and the score. Throws an Error where the tests fail without a mistake.
 */
export async function runRoomMutation(name: string, room: Room, selection: Selection): Promise<Totals> {
  await showStep('Compiling the contracts', compileWithTests)
  setForChildren({ DATABASE_ADMIN_URL: await startTestServer(), CHAINS_URL: await lendChains() })
  const results = await showStep(`Testing mutants of ${name}`, () => judgeRoom(name, room, selection))
  const judged = judgedOf(results)
  const keys = new Set(judged.map(({ mutant }) => mutant.key))
  const isWhole = selection.every === 1 && selection.files.length === 0
  const argued = (await readArgued()).filter((key) => (isWhole ? isIn(room, key) : keys.has(key)))
  const score = scoreOf(judged, argued)
  console.log(report(name, score, GOAL_PERCENT))
  return totalsOf(score, GOAL_PERCENT)
}

/** Returns what became of each mutant, in source order and without those that were left out. */
export function judgedOf(results: readonly MutantResult[]): Judged[] {
  const inOrder = results.toSorted((a, b) => Number(a.id) - Number(b.id))
  const counts = new Map<string, number>()
  return inOrder.flatMap((result) => {
    const { path, key, line, before, after } = changeOf(result)
    const count = (counts.get(key) ?? 0) + 1
    // Counted before it is left out, so that a key means the same in every sample.
    counts.set(key, count)
    const outcome = outcomeOf(result)
    if (!outcome) return []
    const isReached = result.status !== 'NoCoverage'
    const operator = isReached ? result.mutatorName : `${result.mutatorName}, which no test reaches`
    const mutant = {
      key: count === 1 ? key : `${key} (${count})`,
      path,
      line,
      operator,
      before,
      after,
    }
    return [{ mutant, outcome }]
  })
}

function outcomeOf({ status, statusReason, killedBy }: MutantResult): Outcome | undefined {
  if (statusReason === LEFT_OUT || status === 'Ignored') return undefined
  if (status === 'Killed') return { kind: 'killed', by: killedBy?.join(', ') ?? 'a test' }
  if (status === 'Timeout') return { kind: 'killed', by: TIMEOUT }
  // A process of tests ended before its tests could fail.
  if (status === 'RuntimeError') return { kind: 'killed', by: 'a crash' }
  return status === 'CompileError' ? { kind: 'stillborn' } : { kind: 'survived' }
}

function changeOf({ fileName, location: { start, end }, replacement = '' }: MutantResult) {
  const path = relative(ROOT, fileName)
  const lines = readFileSync(fileName, 'utf8').split('\n')
  // Stryker counts lines and columns from 1.
  const [first, last] = [start.line - 1, end.line - 1]
  const whole = lines.slice(first, last + 1)
  const head = (whole[0] ?? '').slice(0, start.column - 1)
  const tail = (whole.at(-1) ?? '').slice(end.column - 1)
  const before = whole.join('\n')
  const original = before.slice(head.length, before.length - tail.length)
  const key = `${path}: \`${shown(original)}\` → \`${shown(replacement)}\``
  return {
    path,
    key,
    line: start.line,
    before: first === last ? before : head + shown(original),
    after: head + replacement + tail,
  }
}

/** A piece of code on one line that can stand between backticks. */
function shown(code: string): string {
  const flat = code.replace(/\s+/g, ' ').replaceAll('`', "'").trim()
  return flat.length > SHOWN_LENGTH ? `${flat.slice(0, SHOWN_LENGTH)}…` : flat
}

function isIn({ sources: [pattern = ''] }: Room, key: string): boolean {
  return key.startsWith(pattern.slice(0, pattern.indexOf('*')))
}
