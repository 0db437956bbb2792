import { diff3Merge, diffIndices } from 'node-diff3'

/** Beyond so many pairs of equal lines, comparing two texts could take minutes: they are not compared. */
const MAX_PAIRS = 1_000_000

/** One place in which two texts differ: the lines from a number on, counted from 1, and what they become. */
export interface Hunk {
  from_line: number
  removed: string[]
  added: string[]
}

/**
 * Returns what a text becomes by two changes that were made to it at once, line by line, or undefined where both changed the
 * same lines, or lines that touch.
 */
export function mergeTexts(base: string, theirs: string, ours: string): string | undefined {
  const [o, a, b] = [linesOf(base), linesOf(theirs), linesOf(ours)]
  if (!areComparable(o, a) || !areComparable(o, b)) return undefined
  // Two who add the same line mean two lines.
  const regions = diff3Merge(a, o, b, { excludeFalseConflicts: false })
  const merged: string[] = []
  for (const { ok } of regions) {
    if (!ok) return undefined
    merged.push(...ok)
  }
  return merged.join('\n')
}

/** Returns in which lines two texts differ. Texts that cannot be compared in time differ as a whole. */
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
