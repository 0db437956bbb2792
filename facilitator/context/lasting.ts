const REPEAT_MS = 60_000

/**
 * Returns a function that says whether to tell of a state now: when it begins, and once a minute while it lasts. `what` names the
 * state.
 */
export function createReminder(): (what: string, lasts: boolean) => boolean {
  const toldAtMs = new Map<string, number>()
  return (what, lasts) => {
    if (!lasts) {
      toldAtMs.delete(what)
      return false
    }
    const now = performance.now()
    if (now - (toldAtMs.get(what) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return false
    toldAtMs.set(what, now)
    return true
  }
}
