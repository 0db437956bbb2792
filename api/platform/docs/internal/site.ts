import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Mounted } from '../../http/listen/mount.ts'
import type { RequestContext } from '../../http/serve/services.ts'
import { docsPage } from '../layout.ts'
import { addressOf, DOCS_PAGES, type DocsPage } from './navigation.ts'
import { type RenderedPage, renderPage, SHOWN_FILE } from './render.ts'
import { type DocsPart, partsOf, searchHtml, searchParts } from './search.ts'

const ROOT = new URL('../../../../', import.meta.url)
const fontFolder = (name: string) => new URL('files/', import.meta.resolve(`${name}/package.json`))
const HERE = new URL('.', import.meta.url)

const ASSETS: Readonly<Record<string, { url: URL; type: string; maxAgeSeconds: number }>> = {
  'site.css': { url: new URL('site.css', HERE), type: 'text/css; charset=utf-8', maxAgeSeconds: 300 },
  'site.js': { url: new URL('site.js', HERE), type: 'text/javascript; charset=utf-8', maxAgeSeconds: 300 },
  'sans.woff2': {
    url: new URL('instrument-sans-latin-wght-normal.woff2', fontFolder('@fontsource-variable/instrument-sans')),
    type: 'font/woff2',
    maxAgeSeconds: 604_800,
  },
  'mono.woff2': {
    url: new URL('ibm-plex-mono-latin-400-normal.woff2', fontFolder('@fontsource/ibm-plex-mono')),
    type: 'font/woff2',
    maxAgeSeconds: 604_800,
  },
}

// A picture contains its own styles, so that it follows the reader's theme; opened alone it may do nothing
// else.
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Returns the documentation: its pages (under the caller's policy), their pictures, and the programs that
 * they show.
 */
export function docsPages(policy: string): Mounted[] {
  const files = globSync(['docs/**/*.svg', 'examples/*.{ts,mjs}'], { cwd: ROOT }).filter((path) =>
    SHOWN_FILE.test(path),
  )
  return [
    ...DOCS_PAGES.map((page) => ({ path: addressOf(page), respond: pageResponse(page, policy) })),
    { path: '/docs/search', respond: searchResponse(policy) },
    ...Object.entries(ASSETS).map(([name, { url, type, maxAgeSeconds }]) => ({
      path: `/docs/${name}`,
      respond: fileResponse(url, { 'content-type': type, 'cache-control': `public, max-age=${maxAgeSeconds}` }),
    })),
    ...files.map((path) => ({ path: `/docs/${path.replace(/^docs\//, '')}`, respond: shownFile(path) })),
  ].map((mounted) => ({ ...mounted, method: 'get' }))
}

function pageResponse(page: DocsPage, policy: string): Mounted['respond'] {
  let html: Promise<string> | undefined
  return async (context) => {
    html ??= readPage(page).then((rendered) => docsPage({ ...rendered, current: page }))
    return context.body(await html, 200, headersOf(policy))
  }
}

function searchResponse(policy: string): Mounted['respond'] {
  let parts: Promise<DocsPart[]> | undefined
  return async (context) => {
    parts ??= readParts()
    const query = context.req.query('q') ?? ''
    const html = searchHtml(query, searchParts(await parts, query))
    return context.body(docsPage({ title: 'Search', html }), 200, headersOf(policy))
  }
}

async function readParts(): Promise<DocsPart[]> {
  const parts = await Promise.all(DOCS_PAGES.map(async (page) => partsOf(page, (await readPage(page)).html)))
  return parts.flat()
}

async function readPage(page: DocsPage): Promise<RenderedPage> {
  return renderPage(page.file, await readFile(new URL(page.file, ROOT), 'utf8'))
}

function headersOf(policy: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
  }
}

function shownFile(path: string): Mounted['respond'] {
  const isPicture = path.endsWith('.svg')
  return fileResponse(new URL(path, ROOT), {
    'content-type': isPicture ? 'image/svg+xml' : 'text/plain; charset=utf-8',
    'content-security-policy': PICTURE_POLICY,
    'cache-control': 'no-cache',
  })
}

function fileResponse(url: URL, headers: Record<string, string>): Mounted['respond'] {
  return async (context: RequestContext) => context.body(new Uint8Array(await readFile(url)), 200, headers)
}
