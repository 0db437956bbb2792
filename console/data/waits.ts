import { useSyncExternalStore } from 'react'
import type { OnWait } from '../../sdk/retry.ts'

// Shorter waits are over before anybody has read of them.
const SHORT_MS = 1_000

/** A call that is sent again later. */
export type Wait = Parameters<OnWait>[0]

let current: Wait | undefined
const listeners = new Set<() => void>()

/** Takes note of a wait, until it is over. Of several at once the longest is told. */
export function noteWait(wait: Wait): void {
  const ms = wait.untilMs - Date.now()
  if (ms < SHORT_MS || (current && current.untilMs > wait.untilMs)) return
  change(wait)
  setTimeout(() => {
    if (current === wait) change(undefined)
  }, ms)
}

/** Returns the wait that goes on now. */
export function useWait(): Wait | undefined {
  return useSyncExternalStore(listen, () => current)
}

function change(wait: Wait | undefined): void {
  current = wait
  for (const listener of listeners) listener()
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
