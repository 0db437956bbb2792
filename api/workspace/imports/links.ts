import { codeIn, type Range } from '../pages/code.ts'

// As pages/references.ts has it; what is before # is the name.
const REFERENCE = /(!?)\[\[([^[\]|\r\n]{1,1000})(?:\|([^[\]\r\n]{0,1000}))?\]\]/g
// A link or an image (CommonMark 6.3) with its words on one line, and no link in them. Bounded, so that no text takes long.
const LINK =
  /(?<!\\)(!?)\[([^[\]|\r\n]{0,1000})\]\([ \t]{0,10}(<[^<>\r\n]{0,2000}>|[^\s()<>]{0,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200}){0,5})(?:[ \t]{1,10}(?:"[^"\r\n]{0,500}"|'[^'\r\n]{0,500}'))?[ \t]{0,10}\)/g

/** Returns the name that a target is referred to by: a page's title or a file's name. Undefined if it leads nowhere here. */
export type Lead = (target: string, kind: 'path' | 'name') => string | undefined

interface Piece extends Range {
  text: string
}

/**
 * Returns a text in which links and images with a path, and references by another program's names, are references to pages
 * and files. What leads nowhere, and code, stays as it is.
 */
export function rewriteLinks(text: string, lead: Lead): string {
  const code = codeIn(text)
  const links = piecesOf(text, LINK, code, ([, mark = '', words = '', url = '']) => {
    const path = pathOf(url)
    const name = path === undefined ? undefined : lead(path, 'path')
    return name === undefined ? undefined : referenceTo(mark, name, words)
  })
  const references = piecesOf(text, REFERENCE, code, ([, mark = '', target = '', shown = target]) => {
    const name = lead(target.replace(/#.*$/, '').trim(), 'name')
    return name === undefined ? undefined : referenceTo(mark, name, shown)
  })
  return applied(text, [...links, ...references])
}

/** Returns what takes the place of the matches of a pattern that are not in code, in order. */
function piecesOf(
  text: string,
  pattern: RegExp,
  code: readonly Range[],
  rewrite: (match: RegExpExecArray) => string | undefined,
): Piece[] {
  const pieces: Piece[] = []
  let next = 0
  for (const match of text.matchAll(pattern)) {
    while (next < code.length && (code[next] as Range).to <= match.index) next++
    if (next < code.length && (code[next] as Range).from <= match.index) continue
    const written = rewrite(match)
    if (written !== undefined) pieces.push({ from: match.index, to: match.index + match[0].length, text: written })
  }
  return pieces
}

function referenceTo(mark: string, name: string, shown: string): string {
  return `${mark}[[${name}${shown === '' || shown === name ? '' : `|${shown}`}]]`
}

/** Returns the path in a link. Undefined for addresses, and for places on the page itself. */
function pathOf(url: string): string | undefined {
  const plain = url.replace(/^<(.*)>$/, '$1').replace(/[?#].*$/, '')
  if (plain === '' || plain.startsWith('//') || /^[a-z][a-z0-9+.-]*:/i.test(plain)) return undefined
  try {
    return decodeURIComponent(plain).normalize('NFC')
  } catch {
    return plain.normalize('NFC')
  }
}

function applied(text: string, pieces: Piece[]): string {
  const parts: string[] = []
  let at = 0
  for (const piece of pieces.sort((one, other) => one.from - other.from)) {
    if (piece.from < at) continue
    parts.push(text.slice(at, piece.from), piece.text)
    at = piece.to
  }
  return [...parts, text.slice(at)].join('')
}
