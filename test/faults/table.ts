/** How one fault went. */
export interface Outcome {
  name: string
  victim: string
  /** From healing to an API that says that all is ready. */
  readySeconds?: number
  /** From the injection to the end of the first trade that was begun after it. */
  tradeSeconds?: number
  /** How many trades of its time were done. */
  trades: number
  violations: string[]
}

const HEAD = ['fault', 'times', 'ready after healing, s', 'first trade after injection, s', 'trades']

/**
 * Returns the table of a run: each fault, how often it was injected, and the least, the median and the
 * greatest recovery time.
 */
export function tableOf(outcomes: readonly Outcome[]): string {
  const byName = Map.groupBy(outcomes, ({ name }) => name)
  const rows = [...byName].map(([name, each]) => [
    name,
    String(each.length),
    spread(each.flatMap(({ readySeconds }) => readySeconds ?? [])),
    spread(each.flatMap(({ tradeSeconds }) => tradeSeconds ?? [])),
    String(each.reduce((sum, { trades }) => sum + trades, 0)),
  ])
  const table = [HEAD, ...rows.toSorted(([one = ''], [other = '']) => one.localeCompare(other))]
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function spread(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)
  return sorted.length === 0 ? 'never' : [at(0), at(0.5), at(1)].join(' / ')
}
