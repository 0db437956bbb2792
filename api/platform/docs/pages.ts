import { readFile } from 'node:fs/promises'
import { getCookie } from 'hono/cookie'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { WebSettings } from '../../context.ts'
import type { ProblemType } from '../../errors.ts'
import type { Mounted } from '../http/listen/mount.ts'
import type { RouteDefinition } from '../http/route/route.ts'
import { problemPage } from '../http/serve/problem.ts'
import type { RequestContext } from '../http/serve/services.ts'
import { LANDING_PAGE } from './internal/landing.ts'
import { problemIndex, problemPageText } from './internal/problemPages.ts'
import { docsPages } from './internal/site.ts'
import { sideOf, sitePage } from './layout.ts'

const OWN = new URL('pages/', import.meta.url)
const REFERENCE = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'))

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const JSON_TYPE = 'application/json'

/** The interfaces of the contracts, for clients in any language. */
const ABIS = { '/abi/escrow.json': escrowAbi, '/abi/token.json': tokenAbi }

interface Page {
  file: string
  folder?: URL
  type: string
  /** True for a file of a package, which changes only with a release. */
  isCached?: true
  /** The layer of a style sheet, which gives way to what is in none. */
  layer?: string
}

const PAGES: Readonly<Record<string, Page>> = {
  '/console': { file: 'status.html', type: HTML },
  '/status.css': { file: 'status.css', type: CSS },
  '/status.js': { file: 'status.js', type: SCRIPT },
  '/docs/landing.css': { file: 'landing.css', type: CSS },
  '/docs/reference.css': { file: 'reference.css', type: CSS },
  '/docs/reference.js': { file: 'reference.js', type: SCRIPT },
  '/docs/swagger-ui.css': { file: 'swagger-ui.css', folder: REFERENCE, type: CSS, isCached: true, layer: 'reference' },
  '/docs/swagger-ui-bundle.js': { file: 'swagger-ui-bundle.js', folder: REFERENCE, type: SCRIPT, isCached: true },
}

/** The API reference in the frame of the documentation: every operation of /openapi.json, to try out. */
const REFERENCE_PAGE = sitePage({
  title: 'API reference · Market',
  styles: ['/docs/swagger-ui.css', '/docs/reference.css'],
  scripts: ['/docs/swagger-ui-bundle.js', '/docs/reference.js'],
  body: `<div class="frame reference">
${sideOf('reference')}
<div id="content" tabindex="-1">
<section aria-label="About the reference">
<h1>API reference</h1>
<p>Every operation, to try out here with a token of yours. As data: <a href="/openapi.json">openapi.json</a>; what can go wrong: <a href="/problems">errors</a>.</p>
</section>
<div id="reference"><noscript>This page needs JavaScript. The API as data: /openapi.json</noscript></div>
</div>
</div>`,
})

// Pages send requests only to this service, and run only its own scripts. The style sheet of the reference
// embeds images; the only form is the search of the documentation.
/** The Content-Security-Policy of every page. */
export const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'",
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
].join('; ')

// Somebody who is signed in gets another answer.
const ofLanding = { 'cache-control': 'no-cache', vary: 'Cookie' }

/**
 * Returns the pages for browsers, which need no token because nothing in them is private: the start, from
 * which somebody with a session's cookie goes on to their home, the state of the service (if the console is
 * not served), the documentation, the API reference with a form to try out calls, the contracts' ABIs, and a
 * page for each problem.
 */
export function pagesOf(
  routes: readonly RouteDefinition[],
  problems: readonly ProblemType[],
  { sessionCookie }: Pick<WebSettings, 'sessionCookie'>,
): Mounted[] {
  const files = Object.entries(PAGES).map(([path, { file, folder = OWN, type, isCached, layer }]) => ({
    path,
    respond: async (context: RequestContext) => {
      const headers = { ...headersOf(type), ...(isCached ? { 'cache-control': 'public, max-age=3600' } : {}) }
      const text = await readFile(new URL(file, folder), 'utf8')
      return context.body(layer ? `@layer ${layer} {${text}}` : text, 200, headers)
    },
  }))
  const start = {
    path: '/',
    respond: (context: RequestContext) =>
      getCookie(context, sessionCookie) === undefined
        ? html(context, LANDING_PAGE, ofLanding)
        : context.redirect('/console'),
  }
  const reference = { path: '/docs/api', respond: (context: RequestContext) => html(context, REFERENCE_PAGE) }
  const index = { path: '/problems', respond: (context: RequestContext) => html(context, problemIndex(problems)) }
  const ofProblems = problems.map((type) => ({
    path: problemPage(type.name),
    respond: (context: RequestContext) => html(context, problemPageText(type, routes)),
  }))
  const abis = Object.entries(ABIS).map(([path, abi]) => ({
    path,
    respond: (context: RequestContext) => context.body(JSON.stringify(abi), 200, headersOf(JSON_TYPE)),
  }))
  return [
    ...[...files, start, reference, index, ...ofProblems, ...abis].map((page) => ({ ...page, method: 'get' as const })),
    ...docsPages(POLICY),
  ]
}

function html(context: RequestContext, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return context.body(text, 200, { ...headersOf(HTML), ...headers })
}

function headersOf(type: string): Record<string, string> {
  return { 'content-type': type, 'content-security-policy': POLICY }
}
