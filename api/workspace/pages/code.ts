/** A part of a text: the index of its first character, and the index after its last one. */
export interface Range {
  from: number
  to: number
}

// Also in quotes and list items.
const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}){0,9}(`{3,}|~{3,})/

/**
 * Returns the code in a Markdown text, fenced or inline, in order. The time is proportional to the length of
 * any text, because strangers write the texts.
 */
export function codeIn(text: string): Range[] {
  const ranges: Range[] = []
  let fence: { mark: string; from: number } | undefined
  let [start, at] = [0, 0]
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    const end = at + line.length
    if (fence && closes(mark, line, fence.mark)) {
      ranges.push({ from: fence.from, to: end })
      fence = undefined
      start = end
    } else if (!fence && (line.trim() === '' || opens(mark, line))) {
      addSpans(ranges, text, start, at)
      start = at
      fence = mark === undefined ? undefined : { mark, from: at }
    }
    at = end + 1
  }
  if (fence) ranges.push({ from: fence.from, to: text.length })
  else addSpans(ranges, text, start, text.length)
  return ranges
}

function opens(mark: string | undefined, line: string): boolean {
  if (mark === undefined) return false
  return mark.startsWith('~') || !line.slice(line.indexOf(mark) + mark.length).includes('`')
}

function closes(mark: string | undefined, line: string, opening: string): boolean {
  if (mark === undefined) return false
  return mark[0] === opening[0] && mark.length >= opening.length && line.trimEnd().endsWith(mark)
}

/** Adds the inline code of a paragraph: from a run of backticks to the next run of the same length. */
function addSpans(ranges: Range[], text: string, from: number, to: number): void {
  const runs = [...text.slice(from, to).matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }))
  const nextOfLength = new Map<number, number>()
  const next: (number | undefined)[] = []
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i] as { length: number }
    next[i] = nextOfLength.get(length)
    nextOfLength.set(length, i)
  }
  for (let i = 0; i < runs.length; i++) {
    const [opening, closing] = [runs[i], runs[next[i] ?? runs.length]]
    if (!opening || !closing) continue
    ranges.push({ from: from + opening.index, to: from + closing.index + closing.length })
    i = next[i] as number
  }
}
