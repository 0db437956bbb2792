import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('reaper.sh', import.meta.url))
let reaper: ChildProcess | undefined

/** From now on the process group of `pid` ends when this process does, even by SIGKILL. */
export function endWithUs(pid: number): void {
  tell(`watch ${pid}`)
}

/** The process is gone: its id may soon be somebody else's. */
export function forget(pid: number): void {
  tell(`forget ${pid}`)
}

/** From now on `directory` is removed when this process ends. */
export function removeWithUs(directory: string): void {
  tell(`remove ${directory}`)
}

function tell(line: string): void {
  reaper ??= startReaper()
  reaper.stdin?.write(`${line}\n`)
}

function startReaper(): ChildProcess {
  // A process group of its own: Ctrl-C in a terminal must not end it before its work is done.
  const child = spawn('bash', [SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  ;(child.stdin as Socket).unref()
  return child
}
