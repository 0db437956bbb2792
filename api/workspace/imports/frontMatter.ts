import { parse } from 'yaml'
import { MAX_TITLE_CHARACTERS, title as titleSchema } from '../pages/write.ts'

/** Front matter that is longer is text like any other. */
const MAX_CHARACTERS = 65_536
const OPENING = /^---[ \t]*\r?\n/
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/m
const KEY = /^(?:"([^"\n]*)"\s*|'([^'\n]*)'\s*|([^\s#"'[\]{}:-][^:\n]*)):(?=\s|$)/
// Scalars are strings, nothing is expanded, and equal keys do not take each other's time.
const SAFE = { schema: 'failsafe', maxAliasCount: 0, uniqueKeys: false, logLevel: 'silent' } as const

/** What a Markdown file says about itself before its text, as far as an import uses it. */
export interface FrontMatter {
  title: string | undefined
  /** What an archive of ours says of the page above, a path, and of files that could not keep their names. */
  parent: string | undefined
  files: ReadonlyMap<string, string>
}

/** A key at the beginning of a line, with the lines that belong to it. */
interface Part {
  key: string
  source: string
}

/**
 * Reads the front matter of a Markdown file (YAML), and returns it with the text of the page. What an import
 * does not use is a block of code in the text.
 */
export function readFrontMatter(source: string): FrontMatter & { text: string } {
  const none = { title: undefined, parent: undefined, files: new Map<string, string>() }
  const found = split(source)
  if (!found) return { ...none, text: source }
  const parts = partsOf(found.lines)
  const title = firstOf(parts, 'title', ({ source }) => plainTitle(yamlIn(source)))
  const own = firstOf(parts, 'market', ownOf)
  const used = new Set([title?.part, own?.part])
  const rest = parts
    .filter((part) => !used.has(part))
    .map((part) => part.source)
    .join('')
  return { ...none, title: title?.value, ...own?.value, text: `${asCode(rest)}${found.text}` }
}

/** Splits a file behind its front matter, and the blank line below that; undefined if it has none. */
function split(source: string): { lines: string; text: string } | undefined {
  const opening = OPENING.exec(source)?.[0].length
  if (opening === undefined) return undefined
  const head = source.slice(opening, opening + MAX_CHARACTERS)
  const closing = CLOSING.exec(head)
  if (!closing) return undefined
  const lines = head.slice(0, closing.index)
  // A line between two rules is none.
  const first = lines.split('\n').find((line) => !/^\s*(?:#|$)/.test(line))
  if (first !== undefined && !KEY.test(first)) return undefined
  const text = source.slice(opening + closing.index + closing[0].length)
  return { lines, text: text.replace(/^\r?\n(?:[ \t]*(?:\r?\n|$))?/, '') }
}

function partsOf(lines: string): Part[] {
  const parts: Part[] = []
  for (const line of lines.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [whole, ...keys] = KEY.exec(line) ?? []
    const last = parts.at(-1)
    if (whole === undefined && last) parts[parts.length - 1] = { key: last.key, source: last.source + line }
    else parts.push({ key: (keys.find((key) => key !== undefined) ?? '').trim().toLowerCase(), source: line })
  }
  return parts
}

function firstOf<Value>(parts: readonly Part[], key: string, read: (part: Part) => Value | undefined) {
  for (const part of parts) {
    const value = part.key === key ? read(part) : undefined
    if (value !== undefined) return { part, value }
  }
  return undefined
}

/** Returns the value of the only key of a source; undefined if it is no YAML. */
function yamlIn(source: string): unknown {
  try {
    return Object.values(parse(source, SAFE) as object)[0]
  } catch {
    return undefined
  }
}

/** Returns a title as a page may have it; undefined if nothing of it can be seen. */
function plainTitle(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .normalize('NFC')
    .trim()
  const { data } = titleSchema.safeParse(line.slice(0, MAX_TITLE_CHARACTERS).replace(/[\ud800-\udbff]$/, ''))
  return data
}

/** Reads what an archive of ours wrote (archives/frontMatter.ts). */
function ownOf({ source }: Part): Pick<FrontMatter, 'parent' | 'files'> | undefined {
  try {
    const own: unknown = JSON.parse(source.slice(source.indexOf(':') + 1))
    if (typeof own !== 'object' || own === null) return undefined
    const { parent, files } = own as Record<string, unknown>
    const named = Object.entries(typeof files === 'object' && files !== null ? files : {})
    return {
      parent: typeof parent === 'string' ? parent : undefined,
      files: new Map(named.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    }
  } catch {
    return undefined
  }
}

function asCode(lines: string): string {
  if (lines.trim() === '') return ''
  const fence = '`'.repeat(Math.max(3, ...[...lines.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}yaml\n${lines.endsWith('\n') ? lines : `${lines}\n`}${fence}\n\n`
}
