/** A part of a message: text, a value, a choice by a value, or marked text such as `<link>here</link>`. */
export type Part =
  | string
  | { value: string }
  | { value: string; by: 'plural' | 'select'; cases: Readonly<Record<string, readonly Part[]>> }
  | { tag: string; inner: readonly Part[] }

/** What stands for the names in a message. */
export type Values = Readonly<Record<string, unknown>>

const MARK = /\{\s*(\w+)\s*(?:\}|,\s*(plural|select)\s*,)|<(\w+)>|<\/\w+>|[{}#]/g
const CASE = /\s*(=\d+|\w+)\s*\{/y
const END_OF_CHOICE = /\s*\}/y

/** Where a reader of a message stands. */
interface Reader {
  text: string
  at: number
}

/**
 * Returns the parts of a message in the syntax of ICU MessageFormat, of which the console uses four forms:
 * `{name}`, `{count, plural, one {# order} other {# orders}}`, `{side, select, buyer {…} other {…}}`, and
 * `<tag>…</tag>`. Throws if a brace or a tag is not closed, or a choice has no `other`.
 */
export function parse(message: string): Part[] {
  const reader = { text: message, at: 0 }
  const parts = readParts(reader)
  if (reader.at < message.length) fail(reader)
  return parts
}

/**
 * Reads up to the end of the message, of a case or of a tag. In a plural, `#` is the value that it counts.
 */
function readParts(reader: Reader, counted?: string): Part[] {
  const parts: Part[] = []
  for (;;) {
    MARK.lastIndex = reader.at
    const found = MARK.exec(reader.text)
    const text = reader.text.slice(reader.at, found?.index)
    if (text) parts.push(text)
    reader.at = found?.index ?? reader.text.length
    if (!found || found[0] === '}' || found[0].startsWith('</')) return parts
    reader.at += found[0].length
    parts.push(readPart(reader, found, counted))
  }
}

function readPart(reader: Reader, [mark, value, by, tag]: RegExpExecArray, counted: string | undefined): Part {
  if (mark === '#') return counted ? { value: counted } : '#'
  if (tag) {
    const inner = readParts(reader, counted)
    const end = `</${tag}>`
    if (!reader.text.startsWith(end, reader.at)) fail(reader)
    reader.at += end.length
    return { tag, inner }
  }
  if (!value) fail(reader)
  if (by !== 'plural' && by !== 'select') return { value }
  return { value, by, cases: readCases(reader, by === 'plural' ? value : counted) }
}

function readCases(reader: Reader, counted: string | undefined): Record<string, Part[]> {
  const cases: Record<string, Part[]> = {}
  for (let name = take(reader, CASE); name; name = take(reader, CASE)) {
    cases[name[1] ?? ''] = readParts(reader, counted)
    if (reader.text[reader.at] !== '}') fail(reader)
    reader.at += 1
  }
  if (!cases.other || !take(reader, END_OF_CHOICE)) fail(reader)
  return cases
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)
  if (found) reader.at = pattern.lastIndex
  return found
}

function fail({ text, at }: Reader): never {
  throw new SyntaxError(`“${text}” cannot be read from character ${at + 1} on`)
}

/** Returns the names that a message needs values for, tags among them. */
export function namesIn(parts: readonly Part[]): string[] {
  const names = parts.flatMap((part) => {
    if (typeof part === 'string') return []
    if ('tag' in part) return [part.tag, ...namesIn(part.inner)]
    return [part.value, ...('cases' in part ? Object.values(part.cases).flatMap(namesIn) : [])]
  })
  return [...new Set(names)].sort()
}

/** How a language writes numbers and chooses plurals. */
export interface Formatters {
  plurals: Intl.PluralRules
  numbers: Intl.NumberFormat
}

/**
 * Returns what a message comes to, in order: numbers as the language writes them, marked text as `mark`
 * returns it.
 */
export function fill<Marked>(
  parts: readonly Part[],
  values: Values,
  formatters: Formatters,
  mark: (tag: string, inner: unknown[]) => Marked,
): unknown[] {
  return parts.flatMap((part): unknown[] => {
    if (typeof part === 'string') return [part]
    if ('tag' in part) return [mark(part.tag, fill(part.inner, values, formatters, mark))]
    const value = values[part.value]
    if ('cases' in part) return fill(caseOf(part, value, formatters) ?? [], values, formatters, mark)
    return [typeof value === 'number' || typeof value === 'bigint' ? formatters.numbers.format(value) : value]
  })
}

function caseOf({ by, cases }: Extract<Part, { by: string }>, value: unknown, { plurals }: Formatters) {
  const name = by === 'select' ? String(value) : plurals.select(Number(value))
  return (by === 'plural' ? cases[`=${value}`] : undefined) ?? cases[name] ?? cases.other
}
