import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from './account.ts'
import { machineEnvironment } from './env.ts'
import { ROOT } from './paths.ts'
import { endWithUs, forget } from './reaper.ts'

/** One process of ours: what to run, and how to detect that it is ready. */
export interface ProcessSpec {
  name: string
  command: string
  args: readonly string[]
  /** Its whole environment, besides PATH and the like. */
  env: Readonly<Record<string, string>>
  account?: Account | undefined
  stopSignal: 'SIGTERM' | 'SIGINT'
  /** Called repeatedly after each start until it returns true. */
  isReady: (started: StartedProcess) => Promise<boolean>
  readyTimeoutMs: number
  /** False if a new process cannot continue from where the old one was. */
  restartable: boolean
}

/** A started process, and the end of its output so far. */
export interface StartedProcess {
  pid: number
  startedAt: Date
  output: () => string
  /** Returns whether a text is in its output, however much output followed. */
  says: (text: string) => boolean
  /** How it ended: "exit code 1", "SIGKILL". */
  ended: Promise<string>
  hasEnded: () => boolean
  /** Stops this process from keeping ours alive. When ours ends, this one ends too. */
  unref: () => void
}

/** A process ended, or never became ready. The message names it and shows its last lines. */
export class ProcessFailure extends Error {
  constructor(name: string, what: string, output: string) {
    const lines = output.trimEnd().split('\n')
    const lastLines = lines.slice(-LAST_LINES).map(shortened).join('\n')
    const cause = causeOf(lines)
    const said = cause ? `: ${cause}\nIts last lines:\n${lastLines}` : `. Its last lines:\n${lastLines}`
    super(`${name} ${what}${lastLines ? said : ', without a word'}`)
    this.name = 'ProcessFailure'
  }
}

/**
 * Returns the reason a process printed for its end: its last fatal record, or the error that Node prints
 * before a stack.
 */
function causeOf(lines: readonly string[]): string | undefined {
  const fatal = lines.findLast((line) => FATAL.test(line))
  const message = fatal && /"msg":"((?:[^"\\]|\\.)*)"/.exec(fatal)?.[1]
  return message ?? lines.findLast((line) => NODE_ERROR.test(line))?.trim()
}

// Pino's level of a fatal record.
const FATAL = /^\{"level":60,/
const NODE_ERROR = /^\s*\[?[A-Za-z]*Error\b.*: /
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
    // Its own process group: Ctrl-C reaches only us, and we end the others in order.
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return started(child, { logFile, from })
}

/** Resolves once the process is ready. Throws a ProcessFailure if it ends or the time runs out first. */
export async function untilReady(spec: ProcessSpec, started: StartedProcess): Promise<void> {
  const deadline = performance.now() + spec.readyTimeoutMs
  for (;;) {
    const isReady = await spec.isReady(started)
    // Checked last: the answer may come from another process on the port that this one did not get.
    if (started.hasEnded()) throw new ProcessFailure(spec.name, `ended (${await started.ended})`, started.output())
    if (isReady) return
    if (performance.now() > deadline) {
      throw new ProcessFailure(spec.name, `does not serve after ${spec.readyTimeoutMs / 1000} s`, started.output())
    }
    await delay(READY_POLL_MS)
  }
}

/** Sends a signal to the process and its children. Does nothing if it has ended. */
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
