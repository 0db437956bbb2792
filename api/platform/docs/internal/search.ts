import { escapeHtml } from './escapeHtml.ts'
import { addressOf, type DocsPage } from './navigation.ts'
import { plainText } from './render.ts'

const MAX_QUERY_CHARACTERS = 100
const MAX_HITS = 20
const SNIPPET_CHARACTERS = 160
const [NAME_WEIGHT, HEADING_WEIGHT] = [8, 4]

/** A part of a page: a heading and the text under it. */
export interface DocsPart {
  page: DocsPage
  /** The anchor of its heading; none for the text before the first heading. */
  id: string
  heading: string
  text: string
}

/** Returns the parts of a rendered page. */
export function partsOf(page: DocsPage, html: string): DocsPart[] {
  const said = html.replace(/<h1>.*?<\/h1>/, '')
  return said.split(/(?=<h[23] id=)/).map((part) => {
    const [heading = '', id = '', title = ''] = /^<h[23] id="([^"]*)">(.*?)<\/h[23]>/.exec(part) ?? []
    const text = plainText(part.slice(heading.length)).replaceAll(/\s+/g, ' ').trim()
    return { page, id, heading: plainText(title), text }
  })
}

/**
 * Returns the parts that have every word of a query, the best first: words in names and headings count more.
 */
export function searchParts(parts: readonly DocsPart[], query: string): DocsPart[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return parts
    .map((part) => ({ part, weight: weightOf(part, words) }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_HITS)
    .map(({ part }) => part)
}

/** Returns the content of the page that answers a search. */
export function searchHtml(query: string, hits: readonly DocsPart[]): string {
  const words = wordsOf(query)
  const asked = escapeHtml(query.slice(0, MAX_QUERY_CHARACTERS))
  if (words.length === 0)
    return '<h1>Search</h1>\n<p>Write words into the field above: a term, a variable, the type of an error.</p>'
  if (hits.length === 0) return `<h1>Search</h1>\n<p>Nothing has all of these words: ${asked}.</p>`
  const items = hits.map(({ page, id, heading, text }) => {
    const address = `${addressOf(page)}${id === '' ? '' : `#${id}`}`
    const title = heading === '' ? page.name : `${page.name}: ${heading}`
    return `<li><a href="${escapeHtml(address)}">${escapeHtml(title)}</a><p>${escapeHtml(snippetOf(text, words))}</p></li>`
  })
  return `<h1>Search</h1>\n<p>${asked}</p>\n<ol class="hits">${items.join('\n')}</ol>`
}

function wordsOf(query: string): string[] {
  return query
    .slice(0, MAX_QUERY_CHARACTERS)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

function weightOf({ page, heading, text }: DocsPart, words: readonly string[]): number {
  const weights = words.map((word) => {
    const has = (where: string, weight: number) => (where.toLowerCase().includes(word) ? weight : 0)
    return has(page.name, NAME_WEIGHT) + has(heading, HEADING_WEIGHT) + has(text, 1)
  })
  return weights.every((weight) => weight > 0) ? weights.reduce((sum, weight) => sum + weight, 0) : 0
}

function snippetOf(text: string, words: readonly string[]): string {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)))
  // Matches only at the beginning of a word.
  const start = text.lastIndexOf(' ', Math.max(0, at - SNIPPET_CHARACTERS / 2)) + 1
  const end = start + SNIPPET_CHARACTERS
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}
