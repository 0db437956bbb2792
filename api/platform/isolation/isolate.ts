import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { memoryOf } from './internal/memory.ts'

const PRLIMIT = '/usr/bin/prlimit'
const POLL_MS = 25
const CPU_SECONDS = 30
const run = promisify(execFile)

/**
 * The limits of a child, and what happens to output beyond its limit: it is cut off, or the file is refused.
 */
export interface Limits {
  timeoutMs: number
  memoryBytes: number
  outputBytes: number
  overflow: 'cut' | 'refuse'
}

/** A program that reads one file. */
export interface Program {
  /** The command; `input` is the path of the file. */
  command: (input: string) => readonly string[]
  /** The files and folders that it reads besides the system's programs. */
  reads: readonly string[]
}

/** The output of a child. */
export interface Output {
  bytes: Buffer
  isCut: boolean
}

/** A file that a child could not process: the child failed, or exceeded a limit. */
export class Refused extends Error {
  readonly reason: 'failed' | 'time' | 'memory' | 'output'

  constructor(reason: Refused['reason']) {
    super(`the file was refused: ${reason}`)
    this.name = 'Refused'
    this.reason = reason
  }
}

// The child sees the system's programs, its own, and the file. It has no network, home or environment, and
// cannot write files.
const SANDBOX = [
  ...['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--setenv', 'PATH', '/usr/bin'],
  ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
  ...['--ro-bind-try', '/etc/fonts', '/etc/fonts', '--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
  ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
]

/**
 * Returns a bubblewrap that works here, or undefined: without one, only programs written in JavaScript are
 * run.
 */
export async function findBubblewrap(path: string | undefined): Promise<string | undefined> {
  if (path === undefined || !existsSync(path) || !existsSync(PRLIMIT)) return undefined
  return run(path, [...SANDBOX, '--', '/usr/bin/true'], { env: {} }).then(
    () => path,
    () => undefined,
  )
}

/**
 * Runs a program on a file in a child process with an empty environment, and in bubblewrap if there is one.
 * Returns its output. Throws Refused for a child that fails or exceeds its limits; in the latter case it is
 * killed.
 */
export async function runIsolated(
  bubblewrap: string | undefined,
  program: Program,
  input: string,
  limits: Limits,
): Promise<Output> {
  const [command = '', ...args] = [...limitsOfSystem(), ...wrapped(bubblewrap, program, input)]
  const child = spawn(command, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject).once('close', ended.resolve)
  let refusal: Refused['reason'] | undefined
  const end = (reason: Refused['reason']) => {
    refusal ??= reason
    child.kill('SIGKILL')
  }
  const watching = new AbortController()
  const deadline = setTimeout(() => end('time'), limits.timeoutMs)
  const watch = watchMemory(child.pid, limits.memoryBytes, watching.signal, () => end('memory'))
  const pieces: Buffer[] = []
  let size = 0
  child.stdout.on('data', (piece: Buffer) => {
    if (size < limits.outputBytes) pieces.push(piece)
    size += piece.length
    if (size > limits.outputBytes) end('output')
  })
  try {
    const status = await ended.promise
    if (refusal === 'output' && limits.overflow === 'cut') {
      return { bytes: Buffer.concat(pieces).subarray(0, limits.outputBytes), isCut: true }
    }
    if (refusal !== undefined || status !== 0) throw new Refused(refusal ?? 'failed')
    return { bytes: Buffer.concat(pieces), isCut: false }
  } finally {
    clearTimeout(deadline)
    watching.abort()
    await watch
  }
}

// It may not write a file or leave a core dump.
function limitsOfSystem(): string[] {
  if (!existsSync(PRLIMIT)) return []
  return [PRLIMIT, `--cpu=${CPU_SECONDS}`, '--fsize=0', '--nofile=256', '--core=0', '--']
}

function wrapped(bubblewrap: string | undefined, { command, reads }: Program, input: string): readonly string[] {
  if (bubblewrap === undefined) return command(input)
  const binds = reads.flatMap((path) => ['--ro-bind', path, path])
  return [bubblewrap, ...SANDBOX, ...binds, '--ro-bind', input, '/in', '--', ...command('/in')]
}

async function watchMemory(pid: number | undefined, maxBytes: number, signal: AbortSignal, end: () => void) {
  while (pid !== undefined && !signal.aborted) {
    if ((await memoryOf(pid)) > maxBytes) return end()
    await delay(POLL_MS, undefined, { signal }).catch(() => {})
  }
}
