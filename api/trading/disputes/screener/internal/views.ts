import { folded, spelledByTags, visible } from '../characters.ts'
import { undisguised, unmarked } from './disguises.ts'

/** A way to read a text: as it stands, what it hides, encodes or spells in another way. */
export interface View {
  kind: 'plain' | 'hidden' | 'encoded' | 'disguised'
  text: string
  /** Whether its lines are joined. */
  isUnwrapped?: boolean
}

const MAX_DEPTH = 2
const HIDDEN = [
  /<!--([\s\S]{1,4000}?)-->/g,
  /<(?:desc|metadata)\b[^>]{0,200}>([\s\S]{1,4000}?)<\/(?:desc|metadata)>/gi,
  /<\w+\b[^>]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|(?<![\w-])color\s*:\s*(?:white|#fff)|\shidden\b)[^>]{0,200}>([\s\S]{1,4000}?)<\//gi,
  /^\s{0,3}\[[^\]\n]{1,100}\]:\s*\S+\s+["'(]([^\n]{1,1000})["')]\s*$/gm,
  /\]\([^)\s]{1,500}\s+"([^"\n]{1,1000})"\)/g,
]
const BASE64 = /[A-Za-z0-9+/_-]{24,8000}={0,2}/g
// Broken into lines of one length.
const BASE64_LINES = /(?:[A-Za-z0-9+/_-]{24,200}\r?\n){1,200}[A-Za-z0-9+/_-]{1,200}={0,2}/g
const HEX = /\b(?:[0-9a-fA-F]{2}[\s:]?){20,4000}/g
const PERCENT = /(?:%[0-9a-fA-F]{2}[\w.~ -]{0,4}){6,2000}/g
const ESCAPES = /(?:\\(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2})){6,2000}/gi
const ENTITIES = /(?:&#(?:x[0-9a-f]{2,6}|\d{2,7});\s?){6,2000}/gi
// Markdown's marks of emphasis.
const EMPHASIS = /[*~`]{1,3}|(?<![\p{L}\d])_{1,2}|_{1,2}(?![\p{L}\d])/gu
// At least three words, and nothing else, without a space between them.
const NAME =
  /(?<![\p{L}\d])\p{L}+(?:[_-]\p{L}+){2,40}(?![\p{L}\d])|(?<![\p{L}\d])[a-z]{1,30}(?:[A-Z][a-z]{1,30}){2,20}(?![\p{L}\d])/gu
const WHOLLY_BASE64 = /^[A-Za-z0-9+/_-]{24,8000}={0,2}\s*$/
const READABLE = /[a-z]{3,}[\s,.:;_-]+[a-z]{2,}/i
// The commonest words of English, in rot13. One of them may be a name; two are not a coincidence.
const ROT13 =
  /\b(?:gur|naq|lbh|sbe|guvf|gung|abg|jvgu|nyy|gb|bs|vtaber|cerivbhf|vafgehpgvbaf?|ershaq|eryrnfr|neovgengbe|flfgrz)\b/gi

/** Returns the ways to read a text. Hidden and encoded parts are read to a depth of two. */
export function viewsOf(text: string, kind: View['kind'] = 'plain', depth = 0): View[] {
  const whole = visible(text)
  const hidden: string[] = []
  const hide = (_: string, inner: string) => {
    hidden.push(inner)
    return ' '
  }
  const seen = HIDDEN.reduce((rest, pattern) => rest.replaceAll(pattern, hide), whole)
  const joined = new Set([
    unwrapped(seen),
    unwrapped(unmarked(folded(seen))),
    unwrapped(parted(seen)),
    unwrapped(seen.replaceAll(EMPHASIS, '')),
    unwrapped(named(seen)),
  ])
  const views: View[] = [{ kind, text: seen }, ...[...joined].map((one) => ({ kind, text: one, isUnwrapped: true }))]
  for (const said of undisguised(folded(seen)))
    views.push({ kind: 'disguised', text: unwrapped(said), isUnwrapped: true })
  if (depth >= MAX_DEPTH) return views
  const tagged = spelledByTags(text)
  if (tagged !== '') views.push({ kind: 'hidden', text: tagged })
  views.push(...viewsOfParts(hidden, 'hidden', depth + 1), ...viewsOfParts(decoded(seen), 'encoded', depth + 1))
  return views
}

/**
 * Joins parts of a text with empty lines and reads them as one text, because there may be thousands of parts.
 */
function viewsOfParts(parts: readonly string[], kind: View['kind'], depth: number): View[] {
  return parts.length === 0 ? [] : viewsOf(parts.join('\n\n'), kind, depth)
}

function decoded(text: string): string[] {
  return [
    ...matches(text, BASE64).map((part) => Buffer.from(part, 'base64').toString()),
    ...matches(text, BASE64_LINES).map((part) => Buffer.from(part, 'base64').toString()),
    ...matches(text, ESCAPES).map((part) => part.replaceAll(/\\[ux]\{?([0-9a-f]{1,6})\}?/gi, (_, hex) => byte(hex))),
    ...matches(text, HEX).map((part) => Buffer.from(part.replaceAll(/[\s:]/g, ''), 'hex').toString()),
    ...matches(text, PERCENT).map((part) => part.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => byte(hex))),
    ...matches(text, ENTITIES).map((part) =>
      part.replaceAll(/&#(x?)([0-9a-f]{1,6});\s?/gi, (_, x, digits) => point(Number.parseInt(digits, x ? 16 : 10))),
    ),
    ...(matches(text, ROT13).length > 1 ? [rot13(text)] : []),
  ].filter((part) => (READABLE.test(part) || WHOLLY_BASE64.test(part)) && !part.includes('\uFFFD'))
}

/** Returns a text with the names of files and of JSON members split into their words. */
function parted(text: string): string {
  return text.replaceAll(NAME, (name) => name.replaceAll(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' '))
}

/** Returns a text with its lines joined; an empty line still separates two parts. */
function unwrapped(text: string): string {
  return text.replaceAll(/(?:(?<![\n \t])[ \t]+|(?<!\n))\r?\n[ \t]*(?!\r?\n)/g, ' ')
}

function matches(text: string, pattern: RegExp): string[] {
  return text.match(pattern) ?? []
}

function byte(hex: string): string {
  return point(Number.parseInt(hex, 16))
}

function named(text: string): string {
  const signs = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|amp);/g, (_, name: keyof typeof signs) => signs[name])
}

function point(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

function rot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}
