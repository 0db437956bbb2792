// Values of YAML and TOML, as front matter has them: strings and flat lists of strings. A parser of the whole
// takes minutes, or for ever, for some texts of a thousand characters.

const QUOTED = /^(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^']|'')*)')\s*(?:#[\s\S]*)?$/
const BLOCK = /^[|>][-+\d]*[ \t]*\r?\n/
// What no plain string of YAML begins with.
const INDICATOR = /^(?:[[\]{}&*!|>'"%@`#,]|[-?:](?:\s|$))/
const ITEM = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'|[^\s,[\]{}][^,[\]\n]*/g
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U00([\da-fA-F]{6})|([\s\S]))/g
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', _: '\u00a0' }

/** Returns a string that is plain, in quotes or a block, on one line; undefined if it is something else. */
export function scalarOf(source: string): string | undefined {
  const value = source.trim()
  const quoted = QUOTED.exec(value)
  if (quoted?.[1] !== undefined) return oneLine(quoted[1]).replaceAll(ESCAPE, unescaped)
  if (quoted?.[2] !== undefined) return oneLine(quoted[2]).replaceAll("''", "'")
  const block = BLOCK.exec(value)
  if (block) return oneLine(value.slice(block[0].length))
  return INDICATOR.test(value) ? undefined : oneLine(value.replaceAll(/\s#[^\n]*/g, ''))
}

/** Returns the strings of a list, in brackets, with a dash before each, or with commas between them. */
export function listOf(source: string): string[] {
  const value = source.trim()
  const isDashed = /^-\s/.test(value)
  const dashed = value.split('\n').map((line) => line.trim())
  const items = isDashed
    ? dashed.filter((line) => line.startsWith('- ')).map((line) => line.slice(2))
    : (value.match(ITEM) ?? [])
  return items.map(scalarOf).filter((item) => item !== undefined)
}

function oneLine(text: string): string {
  if (!text.includes('\n')) return text
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()
}

function unescaped(_whole: string, ...[x, u, long, other]: (string | undefined)[]): string {
  if (x !== undefined || u !== undefined) return String.fromCharCode(Number.parseInt(x ?? u ?? '', 16))
  const point = Number.parseInt(long ?? '0', 16)
  if (long !== undefined) return point > 0x10ffff ? '' : String.fromCodePoint(point)
  return ESCAPED[other ?? ''] ?? other ?? ''
}
