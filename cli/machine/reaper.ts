import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('reaper.sh', import.meta.url))
let reaper: ChildProcess | undefined

/** Makes the process group of `pid` end when this process does, even by SIGKILL. */
export function endWithUs(pid: number): void {
  tell(`watch ${pid}`)
}

/** Stops watching a process that has ended: its id may soon be another process's. */
export function forget(pid: number): void {
  tell(`forget ${pid}`)
}

/** Makes `directory` be removed when this process ends. */
export function removeWithUs(directory: string): void {
  tell(`remove ${directory}`)
}

function tell(line: string): void {
  reaper ??= startReaper()
  reaper.stdin?.write(`${line}\n`)
}

function startReaper(): ChildProcess {
  // Its own process group: Ctrl-C in a terminal must not end it before its work is done.
  const child = spawn('bash', [SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  ;(child.stdin as Socket).unref()
  return child
}
