/** How many tests passed, failed and were skipped. */
export interface Totals {
  passed: number
  failed: number
  skipped: number
}

export const NONE: Totals = { passed: 0, failed: 0, skipped: 0 }

export function addUp(totals: readonly Totals[]): Totals {
  return totals.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    NONE,
  )
}

/** Returns the last line of a run. */
export function summary({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
