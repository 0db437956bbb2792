import { useSyncExternalStore } from 'react'
import type { OnWait } from '../../sdk/retry.ts'

// Shorter waits end before anybody could read about them.
const SHORT_MS = 1_000

/** A call that is sent again later. */
export type Wait = Parameters<OnWait>[0]

let current: Wait | undefined
const listeners = new Set<() => void>()

/** Records a wait until it is over. Of several waits, the longest is shown. */
export function noteWait(wait: Wait): void {
  const ms = wait.untilMs - Date.now()
  if (ms < SHORT_MS || (current && current.untilMs > wait.untilMs)) return
  change(wait)
  setTimeout(() => {
    if (current === wait) change(undefined)
  }, ms)
}

/** Returns the current wait. */
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
