// An apostrophe inside a word opens nothing, nor does a mark that opens a member of JSON or a cell of CSV.
const QUOTATION =
  /(?<=^|[\s(])["“„«‘'「『][^"”“»’'」』\n]{0,600}(?:["”“»」』]|[’'](?!\p{L}))|```[\s\S]{0,4000}?```|`[^`\n]{1,600}`/gu
/** Above this share nobody is there who quotes. */
const MAX_SHARE = 0.8

/** Returns where a text quotes: the first and the last place of each quotation. All of a text is no quotation, nor is JSON. */
export function quotationsOf(text: string): [number, number][] {
  if (/^\s*[[{]\s*["[{]/.test(text)) return []
  const found = [...text.matchAll(QUOTATION)].map(({ 0: quoted, index }): [number, number] => [
    index,
    index + quoted.length,
  ])
  const share = found.reduce((sum, [from, to]) => sum + to - from, 0) / Math.max(1, text.trim().length)
  return share > MAX_SHARE ? [] : found
}

/** Returns whether a place is inside one of the quotations. */
export function isQuotedAt(quotations: readonly [number, number][], place: number): boolean {
  return quotations.some(([from, to]) => place >= from && place < to)
}
