import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { endWithUs, forget } from './reaper.ts'

const GRACE_MS = 10_000
const POLL_MS = 50
/** A shell's exit code for a program that a signal ended is this plus the signal's number. */
const BY_SIGNAL = 128

/**
 * Runs a Node program and ends all its processes when it ends, when a signal ends us, and when we are killed.
 * They form a process group of their own, which the program leads, so Ctrl-C reaches only us. Returns its
 * exit code, by a shell's rules if a signal ended it or us. Throws if it cannot be started.
 */
export async function runInGroup(args: readonly string[]): Promise<number> {
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<NodeJS.Signals>()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, interrupt)
  const leader = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>()
  leader.once('error', reject)
  leader.once('exit', (code, signal) => resolve(code ?? codeOf(signal ?? 'SIGKILL')))
  const group = leader.pid
  if (group === undefined) return ended
  endWithUs(group)
  const how = await Promise.race([ended, interrupted])
  // The reaper kills a group that takes longer.
  if (await endGroup(group, typeof how === 'string' ? how : 'SIGTERM')) forget(group)
  return typeof how === 'string' ? codeOf(how) : how
}

function codeOf(signal: NodeJS.Signals): number {
  return BY_SIGNAL + constants.signals[signal]
}

/** Sends a signal to all processes of a group. Returns whether they ended in time. */
async function endGroup(group: number, signal: NodeJS.Signals): Promise<boolean> {
  const deadline = performance.now() + GRACE_MS
  for (let next: NodeJS.Signals | 0 = signal; performance.now() < deadline; next = 0) {
    try {
      process.kill(-group, next)
    } catch (error) {
      // EPERM: macOS returns this for processes that have ended but that nobody has waited for.
      if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return true
      throw error
    }
    await delay(POLL_MS)
  }
  return false
}
