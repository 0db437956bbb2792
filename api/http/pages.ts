import { readFile } from 'node:fs/promises'
import { type ProblemName, problems } from '../errors.ts'
import type { Mounted } from './mount.ts'
import { problemPage } from './problem.ts'
import { problemIndex, problemPageText } from './problemPages.ts'
import type { RouteDefinition } from './route.ts'

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
 * What people read in a browser, open to everyone because nothing in it is not public: the console, the reference of the
 * API, where calls can be tried out, and a page for each problem.
 */
export function pagesOf(routes: readonly RouteDefinition[]): Mounted[] {
  const files = Object.entries(PAGES).map(([path, { file, folder = CONSOLE, type, isCached }]) => ({
    path,
    respond: async () => {
      const headers = { ...headersOf(type), ...(isCached ? { 'cache-control': 'public, max-age=3600' } : {}) }
      return new Response(await readFile(new URL(file, folder)), { headers })
    },
  }))
  const index = { path: '/problems', respond: () => html(problemIndex()) }
  const ofProblems = (Object.keys(problems) as ProblemName[]).map((name) => ({
    path: problemPage(name),
    respond: () => html(problemPageText(name, routes)),
  }))
  return [...files, index, ...ofProblems].map((page) => ({ ...page, method: 'get' }))
}

function html(text: string): Response {
  return new Response(text, { headers: headersOf(HTML) })
}

function headersOf(type: string): Record<string, string> {
  return { 'content-type': type, 'content-security-policy': POLICY }
}
