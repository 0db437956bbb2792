/**
 * Returns how many letters must be inserted, deleted, replaced or swapped with their neighbour to turn one word into
 * another: the optimal string alignment distance.
 */
export function editDistance(from: string, to: string): number {
  const source = [...from]
  const target = [...to]
  let beforeLast: number[] = []
  let last = Array.from({ length: target.length + 1 }, (_, column) => column)
  for (const [row, letter] of source.entries()) {
    const current = [row + 1]
    for (const [column, other] of target.entries()) {
      const replaced = at(last, column) + (letter === other ? 0 : 1)
      const isSwapped = column > 0 && row > 0 && letter === target[column - 1] && source[row - 1] === other
      const swapped = isSwapped ? at(beforeLast, column - 1) + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(replaced, at(last, column + 1) + 1, at(current, column) + 1, swapped))
    }
    beforeLast = last
    last = current
  }
  return at(last, target.length)
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Number.POSITIVE_INFINITY
}
