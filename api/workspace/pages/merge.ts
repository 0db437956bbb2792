import { diff3Merge, diffIndices } from 'node-diff3'

/** The most pairs of equal lines for which two texts are compared. With more, comparing could take minutes. */
const MAX_PAIRS = 1_000_000

/** One place where two texts differ: the range of lines, counted from 1, and the lines that replace it. */
export interface Hunk {
  from_line: number
  removed: string[]
  added: string[]
}

/**
 * Merges two changes that were made to a text at the same time, line by line. Returns undefined if both changed the same lines,
 * or adjacent lines.
 */
export function mergeTexts(base: string, theirs: string, ours: string): string | undefined {
  const [o, a, b] = [linesOf(base), linesOf(theirs), linesOf(ours)]
  if (!areComparable(o, a) || !areComparable(o, b)) return undefined
  // If both add the same line, the result has two lines.
  const regions = diff3Merge(a, o, b, { excludeFalseConflicts: false })
  const merged: string[] = []
  for (const { ok } of regions) {
    if (!ok) return undefined
    merged.push(...ok)
  }
  return merged.join('\n')
}

/** Returns the lines in which two texts differ. Texts that cannot be compared in time differ as a whole. */
export function diffTexts(from: string, to: string): Hunk[] {
  const [before, after] = [linesOf(from), linesOf(to)]
  if (!areComparable(before, after)) return from === to ? [] : [{ from_line: 1, removed: before, added: after }]
  return diffIndices(before, after).map(({ buffer1: [start], buffer1Content, buffer2Content }) => ({
    from_line: start + 1,
    removed: buffer1Content,
    added: buffer2Content,
  }))
}

function linesOf(text: string): string[] {
  return text.split('\n')
}

function areComparable(one: readonly string[], other: readonly string[]): boolean {
  const counts = Map.groupBy(one, (line) => line)
  let pairs = 0
  for (const line of other) pairs += counts.get(line)?.length ?? 0
  return pairs <= MAX_PAIRS
}
