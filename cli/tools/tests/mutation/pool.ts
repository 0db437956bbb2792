import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../../machine/alive.ts'
import { machineEnvironment } from '../../../machine/env.ts'
import { ROOT, STATE_DIR } from '../../../machine/paths.ts'
import type { Outcome, Question } from './outcome.ts'
import type { Answer } from './worker.ts'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const FOLDER = `${STATE_DIR}mutation`
const WORKERS = 2
// The compiler and the test runner do not release memory: each question leaks some ten megabytes.
const QUESTIONS_A_WORKER = 40
const TIMEOUTS_MS = { quick: 90_000, thorough: 600_000 }

/**
 * Tests the questions in worker processes, two at a time, and returns their outcomes. A question that takes
 * many times longer than the original contract counts as killed by the timeout, and its worker is replaced.
 * Throws an Error when a worker fails otherwise.
 */
export async function judgeAll(
  questions: readonly Question[],
  onAnswer: (index: number, outcome: Outcome) => void,
  timeoutsMs = TIMEOUTS_MS,
) {
  await removeFoldersOfEarlierRuns()
  let next = 0
  const work = async (_: unknown, number: number) => {
    const folder = `${FOLDER}/${process.pid}-${number}`
    let worker: ChildProcess | undefined
    let asked = 0
    try {
      while (next < questions.length) {
        const index = next++
        worker ??= start(folder)
        const outcome = await ask(worker, questions[index] as Question, timeoutsMs)
        onAnswer(index, outcome)
        const isTired = ++asked % QUESTIONS_A_WORKER === 0
        if (isTired) await end(worker)
        if (isTired || (outcome.kind === 'killed' && outcome.by === TIMEOUT)) worker = undefined
      }
    } catch (error) {
      // The other worker must not continue.
      next = questions.length
      throw error
    } finally {
      if (worker) await end(worker)
      await rm(folder, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
}

/** What killed a mutant that did not end. */
export const TIMEOUT = 'the timeout'

function start(folder: string): ChildProcess {
  return fork(WORKER, [folder], {
    cwd: ROOT,
    env: machineEnvironment(),
    execArgv: [],
    // The tests' output is useless here, repeated for each of hundreds of mutants.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function ask(worker: ChildProcess, question: Question, timeoutsMs: typeof TIMEOUTS_MS): Promise<Outcome> {
  const settled = new AbortController()
  const timeoutMs = question.thorough ? timeoutsMs.thorough : timeoutsMs.quick
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(timeoutMs)])
  worker.send(question)
  try {
    const [answer] = await Promise.race([
      once(worker, 'message', { signal }) as Promise<[Answer]>,
      once(worker, 'exit', { signal }).then(([code, signal]) => [{ error: `ended with ${code ?? signal}` }] as const),
    ])
    if ('error' in answer) throw new Error(`A mutation worker failed at ${question.path}: ${answer.error}`)
    return answer.outcome
  } catch (error) {
    if (!signal.aborted) throw error
    await end(worker)
    return { kind: 'killed', by: TIMEOUT }
  } finally {
    settled.abort()
  }
}

/** Resolves when the worker has ended: until then it may write to its folder. */
async function end(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const gone = once(worker, 'exit')
  worker.kill('SIGKILL')
  await gone
}

async function removeFoldersOfEarlierRuns(): Promise<void> {
  for (const name of await readdir(FOLDER).catch(() => [])) {
    if (!isAlive(Number(name.split('-')[0]))) await rm(`${FOLDER}/${name}`, { recursive: true, force: true })
  }
}
