import { posix } from 'node:path'
import { Marked, Renderer, type Tokens } from 'marked'
import { escapeHtml } from './escapeHtml.ts'
import { addressOf, DOCS_PAGES } from './navigation.ts'

/** A heading of a page, for its table of contents. */
export interface Heading {
  id: string
  text: string
  depth: number
}

/** A page as HTML, without its frame. */
export interface RenderedPage {
  title: string
  html: string
  headings: Heading[]
}

/**
 * Pictures and example programs of the documentation: files of docs/ and examples/ that are served unchanged.
 */
export const SHOWN_FILE = /^(?:docs\/(?<picture>[\w./-]+\.svg)|(?<example>examples\/[\w-]+\.(?:ts|mjs)))$/

const COMMENT: Readonly<Record<string, RegExp>> = {
  sh: /(^|\s)(#\s.*)$/gm,
  js: /(^|\s)(\/\/\s.*)$/gm,
  ts: /(^|\s)(\/\/\s.*)$/gm,
}

/** Renders the Markdown of a file of ours. Links between files become links between pages. */
export function renderPage(file: string, markdown: string): RenderedPage {
  const headings: Heading[] = []
  const marked = new Marked({ gfm: true, async: false })
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens)
        const text = plainText(html)
        const id = slug(text, headings)
        headings.push({ id, text, depth })
        if (depth === 1) return `<h1>${html}</h1>\n`
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`
      },
      link({ href, title, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        const target = addressOfLink(file, href)
        if (target === undefined)
          return `<span class="source" title="${escapeHtml(sourceOf(file, href))}">${text}</span>`
        const named = title ? ` title="${escapeHtml(title)}"` : ''
        return `<a href="${escapeHtml(target)}"${named}>${text}</a>`
      },
      image({ href, text }: Tokens.Image) {
        const address = escapeHtml(addressOfLink(file, href) ?? href)
        return `<span class="picture" tabindex="0" role="region" aria-label="Picture"><img src="${address}" alt="${escapeHtml(text)}"></span>`
      },
      code({ text, lang = '' }: Tokens.Code) {
        const [language = ''] = lang.split(' ')
        return `<pre tabindex="0"><code>${withComments(escapeHtml(text), language)}</code></pre>\n`
      },
      tablecell(token: Tokens.TableCell) {
        // A screen reader gets no name from an empty heading.
        return token.header && token.text === '' ? '<td></td>' : Renderer.prototype.tablecell.call(this, token)
      },
      table(token: Tokens.Table) {
        return `<div class="table" tabindex="0" role="region" aria-label="Table">${Renderer.prototype.table.call(this, token)}</div>\n`
      },
    },
  })
  const html = marked.parse(markdown) as string
  return { title: headings[0]?.text ?? file, html, headings: headings.filter(({ depth }) => depth === 2) }
}

/**
 * Returns the address of a file's link, on this server or elsewhere; undefined for a file that is not served.
 */
export function addressOfLink(file: string, href: string): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const [target = '', fragment] = href.split('#')
  const path = posix.normalize(posix.join(posix.dirname(file), target)).replace(/\/$/, '')
  const found = DOCS_PAGES.find((page) => page.file === path || page.file === `${path}/README.md`)
  const shown = SHOWN_FILE.exec(path)?.groups
  const address = found ? addressOf(found) : (shown?.picture ?? shown?.example)
  if (address === undefined) return path === 'README.md' ? '/docs' : undefined
  return `${found ? address : `/docs/${address}`}${fragment === undefined ? '' : `#${fragment}`}`
}

function sourceOf(file: string, href: string): string {
  return `In the source: ${posix.normalize(posix.join(posix.dirname(file), href))}`
}

function withComments(escaped: string, language: string): string {
  const comment = COMMENT[language]
  return comment ? escaped.replaceAll(comment, '$1<span class="comment">$2</span>') : escaped
}

/** Returns the text of our own HTML, without tags. */
export function plainText(html: string): string {
  const text = html.replaceAll(/<[^>]+>/g, '')
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
}

/** Returns the anchor of a heading as GitHub makes it, with a number if the page already has that anchor. */
function slug(text: string, headings: readonly Heading[]): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const isTaken = (candidate: string) => headings.some((heading) => heading.id === candidate)
  if (!isTaken(id)) return id
  for (let count = 1; ; count++) if (!isTaken(`${id}-${count}`)) return `${id}-${count}`
}
