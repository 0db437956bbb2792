/**
 * One measurement beside what it is measured against in the same run. `goal` is the worst figure that is
 * still good.
 */
export interface BenchRow {
  name: string
  ours: number
  yardstick: number | null
  unit: string
  ratio: number | null
  goal: string | null
  met: boolean | null
}

/** A figure on its own. */
export function figure(name: string, ours: number, unit: string): BenchRow {
  return { name, ours, yardstick: null, unit, ratio: null, goal: null, met: null }
}

/** A figure beside its yardstick, without a goal. */
export function beside(name: string, ours: number, yardstick: number, unit: string): BenchRow {
  return { name, ours, yardstick, unit, ratio: ours / yardstick, goal: null, met: null }
}

/** A row with a goal, and whether it was met. */
export function judged(row: BenchRow, goal: string, met: boolean): BenchRow {
  return { ...row, goal, met }
}

/** The value below which `share` of the sorted samples lie (nearest rank). Throws for no samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('there are no samples')
  return value
}
