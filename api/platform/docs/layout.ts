import { escapeHtml } from './internal/escapeHtml.ts'
import { addressOf, DOCS_PAGES, type DocsPage, SECTIONS } from './internal/navigation.ts'
import type { Heading } from './internal/render.ts'

/** The content of a page's frame. */
export interface PageContent {
  title: string
  html: string
  headings?: readonly Heading[]
  /** The page of the navigation that this is, if it is one. */
  current?: DocsPage
}

/** A page of the site: what it is called, what stands below its header, and the files of its own. */
export interface SitePage {
  title: string
  body: string
  styles?: readonly string[]
  scripts?: readonly string[]
}

/** Returns a page with the header of the site. It has no inline script or style. */
export function sitePage({ title, body, styles = [], scripts = [] }: SitePage): string {
  const sheets = ['/docs/site.css', ...styles].map((path) => `<link rel="stylesheet" href="${path}">`)
  const programs = ['/docs/site.js', ...scripts].map((path) => `<script src="${path}" defer></script>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${[...sheets, ...programs].join('\n')}
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="top">
<a class="name" href="/">Market</a>
<nav aria-label="Site"><a href="/docs">Docs</a> <a href="/docs/api">API</a> <a href="/problems">Errors</a> <a href="/console">Console</a></nav>
<form action="/docs/search" role="search"><input type="search" name="q" maxlength="100" aria-label="Search the documentation" placeholder="Search"></form>
</header>
${body}
</body>
</html>
`
}

/** Returns a page of the documentation: navigation, content, table of contents. */
export function docsPage({ title, html, headings = [], current }: PageContent): string {
  return sitePage({
    title: `${title} · Market`,
    body: `<div class="frame">
${sideOf(current)}
<main id="content" tabindex="-1">
${html}
${neighboursOf(current)}
</main>
${contentsOf(headings)}
</div>`,
  })
}

/** Returns the navigation beside a page of the documentation, which a phone has folded above it. */
export function sideOf(current: DocsPage | 'reference' | undefined): string {
  const navigation = navigationOf(current)
  return `<nav class="side" aria-label="Documentation">${navigation}</nav>
<details class="menu"><summary>All pages</summary><nav aria-label="All pages">${navigation}</nav></details>`
}

function navigationOf(current: DocsPage | 'reference' | undefined): string {
  const link = (page: DocsPage) =>
    `<li><a href="${addressOf(page)}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(page.name)}</a></li>`
  const reference = `<li><a href="/docs/api"${current === 'reference' ? ' aria-current="page"' : ''}>API reference</a></li>`
  return SECTIONS.map(
    ({ name, pages }) =>
      `<h2>${escapeHtml(name)}</h2><ul>${pages.map(link).join('')}${name === 'Build' ? reference : ''}</ul>`,
  ).join('\n')
}

function contentsOf(headings: readonly Heading[]): string {
  if (headings.length < 2) return ''
  const links = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${links.join('')}</ul></nav>`
}

function neighboursOf(current: DocsPage | undefined): string {
  if (!current) return ''
  const index = DOCS_PAGES.indexOf(current)
  const [before, after] = [DOCS_PAGES[index - 1], DOCS_PAGES[index + 1]]
  const link = (page: DocsPage | undefined, rel: string) =>
    page ? `<a rel="${rel}" href="${addressOf(page)}">${escapeHtml(page.name)}</a>` : '<span></span>'
  return `<nav class="neighbours" aria-label="Before and after">${link(before, 'prev')}${link(after, 'next')}</nav>`
}
