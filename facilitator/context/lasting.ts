const REPEAT_MS = 60_000

/**
 * Returns a function that says whether to report a state now: once it has lasted for `afterMs`, and once a
 * minute while it lasts. `what` names the state.
 */
export function createReminder(afterMs = 0): (what: string, lasts: boolean) => boolean {
  const states = new Map<string, { sinceMs: number; toldAtMs: number }>()
  return (what, lasts) => {
    if (!lasts) {
      states.delete(what)
      return false
    }
    const now = performance.now()
    const state = states.get(what) ?? { sinceMs: now, toldAtMs: Number.NEGATIVE_INFINITY }
    states.set(what, state)
    if (now - state.sinceMs < afterMs || now - state.toldAtMs < REPEAT_MS) return false
    state.toldAtMs = now
    return true
  }
}
