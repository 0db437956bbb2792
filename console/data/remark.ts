import { useSyncExternalStore } from 'react'

let current: string | undefined
const listeners = new Set<() => void>()

/** Shows a message about what was just done, until the person goes to another page. */
export function remark(text: string | undefined): void {
  current = text
  for (const listener of listeners) listener()
}

/** Returns the message to show. */
export function useRemark(): string | undefined {
  return useSyncExternalStore(listen, () => current)
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
