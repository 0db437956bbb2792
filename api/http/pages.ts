import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import { type ProblemName, problems } from '../errors.ts'
import { refuseOtherMethods } from './methods.ts'
import { problemPage } from './problem.ts'
import { problemIndex, problemPageText } from './problemPages.ts'
import type { RouteDefinition } from './route.ts'
import type { RequestState } from './serve.ts'

const CONSOLE = new URL('../../console/', import.meta.url)
const REFERENCE = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'))

const HTML = 'text/html; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

interface Page {
  file: string
  folder?: URL
  type: string
  /** It is of a package, and changes with a release alone. */
  isCached?: true
}

const PAGES: Readonly<Record<string, Page>> = {
  '/': { file: 'index.html', type: HTML },
  '/console/status.css': { file: 'status.css', type: CSS },
  '/console/status.js': { file: 'status.js', type: SCRIPT },
  '/docs': { file: 'reference.html', type: HTML },
  '/docs/reference.css': { file: 'reference.css', type: CSS },
  '/docs/reference.js': { file: 'reference.js', type: SCRIPT },
  '/docs/swagger-ui.css': { file: 'swagger-ui.css', folder: REFERENCE, type: CSS, isCached: true },
  '/docs/swagger-ui-bundle.js': { file: 'swagger-ui-bundle.js', folder: REFERENCE, type: SCRIPT, isCached: true },
}

// Pages ask this service alone, and run nothing that is not its own. The reference has pictures in its style sheet.
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
].join('; ')

/**
 * Serves what people read in a browser, open to everyone because nothing in it is not public: the console, the reference
 * of the API, where calls can be tried out, and a page for each problem.
 */
export function mountPages(api: Hono<{ Variables: RequestState }>, routes: readonly RouteDefinition[]): void {
  for (const [path, { file, folder = CONSOLE, type, isCached }] of Object.entries(PAGES)) {
    api.get(path, async () => {
      const headers = { ...headersOf(type), ...(isCached ? { 'cache-control': 'public, max-age=3600' } : {}) }
      return new Response(await readFile(new URL(file, folder)), { headers })
    })
  }
  api.get('/problems', () => new Response(problemIndex(), { headers: headersOf(HTML) }))
  const names = Object.keys(problems) as ProblemName[]
  for (const name of names) {
    api.get(problemPage(name), () => new Response(problemPageText(name, routes), { headers: headersOf(HTML) }))
  }
  const paths = [...Object.keys(PAGES), '/problems', ...names.map(problemPage)]
  refuseOtherMethods(
    api,
    paths.map((path) => ({ path, method: 'get' })),
  )
}

function headersOf(type: string): Record<string, string> {
  return { 'content-type': type, 'content-security-policy': POLICY }
}
