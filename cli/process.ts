import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { machineEnvironment } from './env.ts'
import { ROOT } from './paths.ts'
import type { Account } from './postgres/account.ts'
import { endWithUs, forget } from './reaper.ts'

/** One process of ours: what to run, and how to tell that it serves. */
export interface ProcessSpec {
  name: string
  command: string
  args: readonly string[]
  /** Everything the process gets, besides PATH and the like. */
  env: Readonly<Record<string, string>>
  account?: Account | undefined
  stopSignal: 'SIGTERM' | 'SIGINT'
  /** Asked again and again after each start, until it is true. */
  isReady: (started: StartedProcess) => Promise<boolean>
  readyTimeoutMs: number
  /** False where a new process could not go on from where the old one was. */
  restartable: boolean
}

/** A process that was started, and the end of its output so far. */
export interface StartedProcess {
  pid: number
  startedAt: Date
  output: () => string
  /** Whether a text is in its output, however much came after it. */
  says: (text: string) => boolean
  /** How it ended: "exit code 1", "SIGKILL". */
  ended: Promise<string>
  hasEnded: () => boolean
  /** Our process may end while this one runs (and ends it by that). */
  unref: () => void
}

/** A process ended, or never came to serve. The message names it and shows its last lines. */
export class ProcessFailure extends Error {
  constructor(name: string, what: string, output: string) {
    const lastLines = output.trimEnd().split('\n').slice(-LAST_LINES).map(shortened).join('\n')
    super(`${name} ${what}${lastLines ? `. Its last lines:\n${lastLines}` : ', without a word'}`)
    this.name = 'ProcessFailure'
  }
}

const LAST_LINES = 20
// Some programs log a whole object as one line.
const LINE_CHARACTERS = 400
const OUTPUT_BYTES = 64 * 1024
const READY_POLL_MS = 50

/** Starts a process, its output appended to `logFile`. It ends when we do. */
export function launch(spec: ProcessSpec, logFile: string): StartedProcess {
  mkdirSync(dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'a', 0o600)
  const from = statSync(logFile).size
  const child = spawn(spec.command, spec.args, {
    ...spec.account,
    cwd: spec.account ? '/' : ROOT,
    env: { ...machineEnvironment(), ...spec.env },
    // A process group of its own: Ctrl-C reaches us alone, and we end the others in their order.
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return started(child, { logFile, from })
}

/** Resolves once the process serves; throws a ProcessFailure when it ends or time runs out before. */
export async function untilReady(spec: ProcessSpec, started: StartedProcess): Promise<void> {
  const deadline = performance.now() + spec.readyTimeoutMs
  for (;;) {
    const isReady = await spec.isReady(started)
    // Asked last: what answered may have been another process on the port that this one did not get.
    if (started.hasEnded()) throw new ProcessFailure(spec.name, `ended (${await started.ended})`, started.output())
    if (isReady) return
    if (performance.now() > deadline) {
      throw new ProcessFailure(spec.name, `does not serve after ${spec.readyTimeoutMs / 1000} s`, started.output())
    }
    await delay(READY_POLL_MS)
  }
}

/** Sends a signal to the process and whatever it started. No error where it has ended. */
export function signal(started: StartedProcess, name: NodeJS.Signals): void {
  if (started.hasEnded()) return
  try {
    process.kill(-started.pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function started(child: ChildProcess, { logFile, from }: { logFile: string; from: number }): StartedProcess {
  let over = child.pid === undefined
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  child.once('error', (error) => {
    over = true
    resolve(error.message)
  })
  child.once('exit', (code, signalName) => {
    over = true
    if (child.pid) forget(child.pid)
    resolve(signalName ?? `exit code ${code}`)
  })
  if (child.pid) endWithUs(child.pid)
  return {
    pid: child.pid ?? 0,
    startedAt: new Date(),
    output: () => readSince(logFile, Math.max(from, statSync(logFile).size - OUTPUT_BYTES)),
    says: (text) => readSince(logFile, from).includes(text),
    ended,
    hasEnded: () => over,
    unref: () => child.unref(),
  }
}

function shortened(line: string): string {
  return line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}…` : line
}

function readSince(file: string, start: number): string {
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(fstatSync(descriptor).size - start)
    readSync(descriptor, buffer, 0, buffer.length, start)
    return buffer.toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}
