import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isAlive } from '../../alive.ts'
import { machineEnvironment } from '../../env.ts'
import { ROOT, STATE_DIR } from '../../paths.ts'
import type { Outcome, Question } from './outcome.ts'
import type { Answer } from './worker.ts'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const FOLDER = `${STATE_DIR}mutation`
const WORKERS = 2
const TIMEOUT_MS = { quick: 90_000, thorough: 600_000 }

/**
 * Answers questions in worker processes, two at a time. What takes longer than many times what the contract itself takes
 * counts as killed by the timeout, and its worker is replaced. Throws an Error when a worker fails otherwise.
 */
export async function judgeAll(questions: readonly Question[], onAnswer: (index: number, outcome: Outcome) => void) {
  await removeFoldersOfEarlierRuns()
  let next = 0
  const work = async (_: unknown, number: number) => {
    const folder = `${FOLDER}/${process.pid}-${number}`
    let worker: ChildProcess | undefined
    try {
      while (next < questions.length) {
        const index = next++
        worker ??= start(folder)
        const outcome = await ask(worker, questions[index] as Question)
        if (outcome.kind === 'killed' && outcome.by === TIMEOUT) worker = undefined
        onAnswer(index, outcome)
      }
    } catch (error) {
      // The other worker need not go on.
      next = questions.length
      throw error
    } finally {
      worker?.kill()
      await rm(folder, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
}

/** What killed a mutant that never came to an end. */
export const TIMEOUT = 'the timeout'

function start(folder: string): ChildProcess {
  return fork(WORKER, [folder], {
    cwd: ROOT,
    env: machineEnvironment(),
    execArgv: [],
    // What the tests print is of no use here, once for each of hundreds of mutants.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function ask(worker: ChildProcess, question: Question): Promise<Outcome> {
  const settled = new AbortController()
  const timeoutMs = question.thorough ? TIMEOUT_MS.thorough : TIMEOUT_MS.quick
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
    worker.kill('SIGKILL')
    return { kind: 'killed', by: TIMEOUT }
  } finally {
    settled.abort()
  }
}

async function removeFoldersOfEarlierRuns(): Promise<void> {
  for (const name of await readdir(FOLDER).catch(() => [])) {
    if (!isAlive(Number(name.split('-')[0]))) await rm(`${FOLDER}/${name}`, { recursive: true, force: true })
  }
}
