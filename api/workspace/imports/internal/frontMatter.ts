import { MAX_TITLE_CHARACTERS, title as titleSchema } from '../../pages/write.ts'
import { listOf, scalarOf } from './frontMatterValues.ts'

/** Front matter that is longer is text like any other, and a value that is longer is not read. */
const MAX_CHARACTERS = 65_536
const MAX_VALUE = 8_192
const OPENING = /^(---|\+\+\+)[ \t]*\r?\n/
const FORMS = {
  yaml: {
    closing: /^(?:---|\.\.\.)[ \t]*$/m,
    key: /^(?:"([^"\n]*)"\s*|'([^'\n]*)'\s*|([^\s#"'[\]{}:-][^:\n]*)):(?=\s|$)/,
    table: /^(?!)/,
  },
  toml: {
    closing: /^\+\+\+[ \t]*$/m,
    key: /^(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))[ \t]*=/,
    table: /^\s*\[/,
  },
} as const
type Form = keyof typeof FORMS

/** What a Markdown file says about itself before its text, as far as an import uses it. */
export interface FrontMatter {
  title: string | undefined
  /** Other names by which references may lead to the page. */
  aliases: readonly string[]
  /** What an archive of ours says of the page above, a path, and of files that could not keep their names. */
  parent: string | undefined
  files: ReadonlyMap<string, string>
}

/** A key at the beginning of a line, with its value and the lines that belong to it. */
interface Part {
  key: string
  value: string
  source: string
}

/**
 * Reads the front matter of a Markdown file (YAML, or TOML as Hugo has it), and returns it with the text of
 * the page. What an import does not use is a block of code in the text.
 */
export function readFrontMatter(source: string): FrontMatter & { text: string } {
  const none = { title: undefined, aliases: [], parent: undefined, files: new Map<string, string>() }
  const found = split(source)
  if (!found) return { ...none, text: source }
  const parts = partsOf(found.lines, found.form)
  const title = firstOf(parts, 'title', ({ value }) => plainTitle(scalarOf(value)))
  const own = firstOf(parts, 'market', ownOf)
  const aliases = parts.filter(({ key }) => key === 'aliases' || key === 'alias').flatMap(({ value }) => listOf(value))
  const used = new Set([title?.part, own?.part])
  const rest = parts
    .filter((part) => !used.has(part))
    .map((part) => part.source)
    .join('')
  const names = aliases.map((alias) => alias.normalize('NFC').trim()).filter((alias) => alias !== '')
  return {
    ...none,
    title: title?.value,
    aliases: names,
    ...own?.value,
    text: `${asCode(rest, found.form)}${found.text}`,
  }
}

/** Splits a file behind its front matter, and the blank line below that; undefined if it has none. */
function split(source: string): { form: Form; lines: string; text: string } | undefined {
  const [opening, fence] = OPENING.exec(source) ?? []
  if (opening === undefined) return undefined
  const form = fence === '---' ? 'yaml' : 'toml'
  const head = source.slice(opening.length, opening.length + MAX_CHARACTERS)
  const closing = FORMS[form].closing.exec(head)
  if (!closing) return undefined
  const lines = head.slice(0, closing.index)
  // A line between two rules is none.
  const first = lines.split('\n').find((line) => !/^\s*(?:#|$)/.test(line))
  if (first !== undefined && !FORMS[form].key.test(first) && !FORMS[form].table.test(first)) return undefined
  const text = source.slice(opening.length + closing.index + closing[0].length)
  return { form, lines, text: text.replace(/^\r?\n(?:[ \t]*(?:\r?\n|$))?/, '') }
}

/** Splits front matter before each of its keys at the top. What cannot be used has no key, or no value. */
function partsOf(lines: string, form: Form): Part[] {
  const { key: begins, table } = FORMS[form]
  const parts: Part[] = []
  let isInTable = false
  for (const line of lines.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    isInTable ||= table.test(line)
    const [whole = '', ...keys] = (isInTable ? null : begins.exec(line)) ?? []
    const key = (keys.find((one) => one !== undefined) ?? '').trim().toLowerCase()
    const last = parts.at(-1)
    if (whole === '' && last && (!isInTable || last.key === '')) {
      last.source += line
      last.value += line
    } else parts.push({ key, value: line.slice(whole.length), source: line })
  }
  return parts.map((part) => (part.value.length > MAX_VALUE && part.key !== 'market' ? { ...part, value: '' } : part))
}

function firstOf<Value>(parts: readonly Part[], key: string, read: (part: Part) => Value | undefined) {
  for (const part of parts) {
    const value = part.key === key ? read(part) : undefined
    if (value !== undefined) return { part, value }
  }
  return undefined
}

/** Returns a title as a page may have it, or undefined if the title shows nothing. */
function plainTitle(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const line = value
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .normalize('NFC')
    .trim()
  const { data } = titleSchema.safeParse(line.slice(0, MAX_TITLE_CHARACTERS).replace(/[\ud800-\udbff]$/, ''))
  return data
}

/** Reads what an archive of ours wrote (archives/internal/frontMatter.ts). */
function ownOf({ value }: Part): Pick<FrontMatter, 'parent' | 'files'> | undefined {
  try {
    const own: unknown = JSON.parse(value)
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

function asCode(lines: string, form: Form): string {
  if (lines.trim() === '') return ''
  const fence = '`'.repeat(Math.max(3, ...[...lines.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}${form}\n${lines.endsWith('\n') ? lines : `${lines}\n`}${fence}\n\n`
}
