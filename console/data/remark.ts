import { useSyncExternalStore } from 'react'

let current: string | undefined
const listeners = new Set<() => void>()

/** Has the page say something about what was just done, until the person goes on to another one. */
export function remark(text: string | undefined): void {
  current = text
  for (const listener of listeners) listener()
}

/** Returns what the page says. */
export function useRemark(): string | undefined {
  return useSyncExternalStore(listen, () => current)
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
