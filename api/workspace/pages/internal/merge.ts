import { diff3Merge, diffIndices } from 'node-diff3'

/**
 * The most pairs of equal lines for which two texts are compared. With more, comparing could take minutes.
 */
const MAX_PAIRS = 1_000_000
/**
 * The most that the numbers of lines of two texts may multiply to: node-diff3 compares each line of one with
 * those of the other.
 */
const MAX_COMPARED = 25_000_000

/** One place where two texts differ: the range of lines, counted from 1, and the lines that replace it. */
export interface Hunk {
  from_line: number
  removed: string[]
  added: string[]
}

/**
 * Merges two changes that were made to a text at the same time, line by line. Returns undefined if both
 * changed the same lines, or adjacent lines.
 */
export function mergeTexts(base: string, theirs: string, ours: string): string | undefined {
  const texts = [linesOf(base), linesOf(theirs), linesOf(ours)] as const
  const same = commonLines(texts)
  const [o, a, b] = [within(texts[0], same), within(texts[1], same), within(texts[2], same)]
  if (!areComparable(o, a) || !areComparable(o, b)) return undefined
  // If both add the same line, the result has two lines.
  const regions = diff3Merge(a, o, b, { excludeFalseConflicts: false })
  const merged = texts[0].slice(0, same.first)
  for (const { ok } of regions) {
    if (!ok) return undefined
    for (const line of ok) merged.push(line)
  }
  return [...merged, ...texts[0].slice(texts[0].length - same.last)].join('\n')
}

/** Returns the lines in which two texts differ. Parts that cannot be compared in time differ as a whole. */
export function diffTexts(from: string, to: string): Hunk[] {
  if (from === to) return []
  const [oldLines, newLines] = [linesOf(from), linesOf(to)]
  const same = commonLines([oldLines, newLines])
  const [before, after] = [within(oldLines, same), within(newLines, same)]
  if (!areComparable(before, after)) return [{ from_line: same.first + 1, removed: before, added: after }]
  return diffIndices(before, after).map(({ buffer1: [start], buffer1Content, buffer2Content }) => ({
    from_line: same.first + start + 1,
    removed: buffer1Content,
    added: buffer2Content,
  }))
}

function linesOf(text: string): string[] {
  return text.split('\n')
}

interface Common {
  first: number
  last: number
}

/** Returns how many lines all texts have in common at their beginning and, after that, at their end. */
function commonLines(texts: readonly (readonly string[])[]): Common {
  const [one = []] = texts
  const shortest = Math.min(...texts.map(({ length }) => length))
  const count = { first: 0, last: 0 }
  while (count.first < shortest && texts.every((text) => text[count.first] === one[count.first])) count.first += 1
  const left = shortest - count.first
  while (count.last < left && texts.every((text) => text.at(-1 - count.last) === one.at(-1 - count.last)))
    count.last += 1
  return count
}

/** Returns the lines without those that all texts have in common. */
function within(text: readonly string[], { first, last }: Common): string[] {
  return text.slice(first, text.length - last)
}

function areComparable(one: readonly string[], other: readonly string[]): boolean {
  if (one.length * other.length > MAX_COMPARED) return false
  const counts = Map.groupBy(one, (line) => line)
  let pairs = 0
  for (const line of other) pairs += counts.get(line)?.length ?? 0
  return pairs <= MAX_PAIRS
}
