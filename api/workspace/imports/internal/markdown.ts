import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { decodeString } from 'micromark-util-decode-string'
import type { Range } from '../../pages/code.ts'

const GFM_TABLES = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }
// References between double brackets; the part after a | is an alias. In a table the | is escaped.
const REFERENCE = /(?<!\\)(!?)\[\[([^[\]|\r\n]{1,1000}?)((?:\\?\|[^[\]\r\n]{0,1000})?)\]\]/g
// An image with a size, which CommonMark does not have: ![alt](path =300x200).
const SIZED =
  /(?<!\\)!\[([^[\]\r\n]{0,1000})\]\([ \t]{0,10}(<[^<>\r\n]{1,2000}>|[^\s()<>]{1,2000})(?:[ \t]{1,10}"[^"\r\n]{0,500}")?[ \t]{1,10}=(\d{1,5})x(\d{0,5})[ \t]{0,10}\)/g
const IMAGE_TAG = /<img\s[^<>]{1,4000}>/gi
const MEDIA = /<(video|audio)(?=[\s>])(?:(?!<\/\1)[\s\S]){0,4000}<\/\1\s{0,10}>/gi
const ANCHOR = /<a\s([^<>]{1,4000})>([^<>[\]|\r\n]{0,1000})<\/a>/gi
const ATTRIBUTE = /(?:^|\s)(src|href|alt|width|height)\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi
// Blocks of HTML in which nothing is a link.
const INERT = /^\s*<(?:!|\?|(?:pre|script|style|textarea)[\s>])/i
// How Outline writes the size of an image into its title.
const TITLE_SIZE = /(?:^|\s)=(\d{1,5})x(\d{0,5})$/
const MAX_WRITTEN = 300

/**
 * A link, an image or a reference in a Markdown text, and the part of the text that is replaced by another
 * target.
 */
export interface FoundLink extends Range {
  /** A path, relative to the page, or a name as in programs with references. */
  kind: 'path' | 'name'
  /** What replaces the part: a reference, the end of a link, or only a destination. */
  form: 'reference' | 'linkEnd' | 'destination'
  target: string
  isEmbed: boolean
  /** The text that it is shown with, and the size of an image: the parts after each |. */
  aliases: string[]
  isInTable: boolean
  /** As it is written, shortened. */
  written: string
}

type Node = ReturnType<typeof fromMarkdown>['children'][number]

interface Found {
  text: string
  links: FoundLink[]
  definitions: Map<string, string>
  tables: Range[]
  /** Ranges without links: code, and comments in HTML. */
  inert: Range[]
}

/**
 * Returns the links of a Markdown text (CommonMark, with tables of GFM), its references and the images of its
 * HTML, in order. The time is not proportional to the length of the text, so a stranger's text is parsed in a
 * thread that can be ended (linkReader.ts).
 */
export function findLinks(text: string): FoundLink[] {
  const found: Found = { text, links: [], definitions: new Map(), tables: [], inert: [] }
  const nodes = allNodes(fromMarkdown(text, GFM_TABLES).children)
  for (const node of nodes) note(found, node)
  for (const node of nodes) addNode(found, node)
  addMatches(found, REFERENCE, ([written, mark, target = '', alias = '']) => {
    const aliases = alias === '' ? [] : [alias.replace(/^\\?\|/, '').replaceAll('\\|', '|')]
    return { kind: 'name', target, isEmbed: mark === '!', aliases, written }
  })
  addMatches(found, SIZED, ([written, alt = '', url = '', width = '', height = '']) => {
    const aliases = [...aliasesOf(alt), sizeOf(width, height)]
    return { kind: 'path', target: decodeString(url.replace(/^<(.*)>$/, '$1')), isEmbed: true, aliases, written }
  })
  addMatches(found, IMAGE_TAG, ([written]) => {
    const { src, alt = '', width = '', height = '' } = attributesOf(written)
    if (src === undefined) return undefined
    const aliases = [...aliasesOf(alt), sizeOf(width, height)].filter((alias) => alias !== '')
    return { kind: 'path', target: src, isEmbed: true, aliases, written }
  })
  addMatches(found, MEDIA, ([written]) => {
    const { src, width = '', height = '' } = attributesOf(written)
    if (src === undefined) return undefined
    const aliases = [sizeOf(width, height)].filter((alias) => alias !== '')
    return { kind: 'path', target: src, isEmbed: true, aliases, written }
  })
  addMatches(found, ANCHOR, ([written, attributes = '', words = '']) => {
    const { href } = attributesOf(attributes)
    if (href === undefined) return undefined
    return { kind: 'path', target: href, isEmbed: false, aliases: aliasesOf(decodeString(words)), written }
  })
  return found.links.sort((one, other) => one.from - other.from || other.to - one.to)
}

function allNodes(top: readonly Node[]): Node[] {
  const nodes: Node[] = []
  const open = top.toReversed()
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node)
    if ('children' in node) open.push(...node.children.toReversed())
  }
  return nodes
}

/** Collects the definitions of a text, its tables, and the ranges without links. */
function note({ definitions, tables, inert }: Found, node: Node): void {
  if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url)
  if (node.type === 'table') tables.push(rangeOf(node))
  const isInert = node.type === 'html' && INERT.test(node.value)
  if (node.type === 'code' || node.type === 'inlineCode' || isInert) inert.push(rangeOf(node))
}

function addNode(found: Found, node: Node): void {
  if (node.type === 'definition') addDefinition(found, node)
  if (node.type === 'image' || node.type === 'imageReference') addImage(found, node)
  if (node.type === 'link' || node.type === 'linkReference') addLink(found, node)
}

function addImage(found: Found, node: Node & { type: 'image' | 'imageReference' }): void {
  const target = node.type === 'image' ? node.url : found.definitions.get(node.identifier)
  if (target === undefined) return
  const [, width = '', height = ''] = (node.type === 'image' && TITLE_SIZE.exec(node.title ?? '')) || []
  const aliases = [...aliasesOf(node.alt ?? ''), sizeOf(width, height)].filter((alias) => alias !== '')
  add(found, { ...rangeOf(node), form: 'reference', kind: 'path', target, isEmbed: true, aliases })
}

function addLink(found: Found, node: Node & { type: 'link' | 'linkReference' }): void {
  const target = node.type === 'link' ? node.url : found.definitions.get(node.identifier)
  if (target === undefined) return
  const words = plainWords(node.children)
  const last = node.children.at(-1)
  const link = { ...rangeOf(node), form: 'reference', kind: 'path', target, isEmbed: false } as const
  if (words !== undefined || !last) add(found, { ...link, aliases: aliasesOf(words ?? '') })
  // Words with markup in them stay: only the end is written anew.
  else add(found, { ...link, form: 'linkEnd', aliases: [], from: rangeOf(last).to })
}

/** Adds the destination of a definition, which reference links use. A footnote of GFM has none. */
function addDefinition(found: Found, node: Node & { type: 'definition' }): void {
  if (node.identifier.startsWith('^')) return
  const { from } = rangeOf(node)
  const [, label = '', destination = ''] =
    /^(\[(?:\\[\s\S]|[^\]\\])*\]:\s*)(<[^<>\n]*>|\S+)/.exec(found.text.slice(from, rangeOf(node).to)) ?? []
  const part = { from: from + label.length, to: from + label.length + destination.length }
  add(found, { ...part, form: 'destination', kind: 'path', target: node.url, isEmbed: false, aliases: [] })
}

function addMatches(
  found: Found,
  pattern: RegExp,
  read: (match: RegExpExecArray) => Omit<FoundLink, 'from' | 'to' | 'form' | 'isInTable'> | undefined,
): void {
  const inert = found.inert.toSorted((one, other) => one.from - other.from)
  let next = 0
  for (const match of found.text.matchAll(pattern)) {
    while (next < inert.length && (inert[next] as Range).to <= match.index) next++
    if ((inert[next]?.from ?? found.text.length) <= match.index) continue
    const link = read(match)
    if (link) add(found, { ...link, form: 'reference', from: match.index, to: match.index + match[0].length })
  }
}

function add({ text, links, tables }: Found, link: Omit<FoundLink, 'isInTable' | 'written'>): void {
  const isInTable = tables.some(({ from, to }) => from <= link.from && link.from < to)
  links.push({ ...link, isInTable, written: text.slice(link.from, link.to).slice(0, MAX_WRITTEN) })
}

/** Returns the words of a link that has nothing but words, on one line. */
function plainWords(nodes: readonly Node[]): string | undefined {
  if (!nodes.every((node) => node.type === 'text')) return undefined
  const words = nodes.map((node) => ('value' in node ? node.value : '')).join('')
  return /[[\]|]/.test(words) ? undefined : words
}

/**
 * Returns the text that an image or a link is shown with, in parts: Obsidian writes the size of an image
 * behind a | too.
 */
function aliasesOf(words: string): string[] {
  const parts = words.replaceAll('[', '(').replaceAll(']', ')').replaceAll(/\s+/g, ' ').split('|')
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function sizeOf(width: string, height: string): string {
  const isPixels = /^\d{1,5}(?:px)?$/
  if (!isPixels.test(width)) return ''
  return `${Number.parseInt(width, 10)}${isPixels.test(height) ? `x${Number.parseInt(height, 10)}` : ''}`
}

function attributesOf(tag: string): Readonly<Record<string, string | undefined>> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', ...values] of tag.matchAll(ATTRIBUTE)) {
    attributes[name.toLowerCase()] ??= decodeString(values.find((value) => value !== undefined) ?? '')
  }
  return attributes
}

function rangeOf({ position }: Node): Range {
  return { from: position?.start.offset ?? 0, to: position?.end.offset ?? 0 }
}
