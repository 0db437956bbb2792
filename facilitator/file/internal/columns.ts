/** Returns rows as the columns of an unnest(). */
export function columns<Row>(rows: readonly Row[], cells: (row: Row) => readonly unknown[]): unknown[][] {
  const table = rows.map(cells)
  return (table[0] ?? []).map((_, column) => table.map((row) => row[column]))
}
