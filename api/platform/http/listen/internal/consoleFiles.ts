import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Context, Hono } from 'hono'
import type { RequestState } from '../../serve/services.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

// Programs install the SDK from here: its name on npm is nobody's word.
const SDK = '/sdk.tgz'

/** The built console, and the addresses under /console that are pages of it. */
export interface ConsoleFiles {
  folder: string
  /** Patterns of its router: `/orders/:id`. */
  paths: readonly string[]
}

/**
 * Serves the built console from memory, without checking limits or the database: a first load takes a dozen
 * files, and none of them is private. Every page is the same file. A browser that opens an address that is
 * not a page gets this file with the status 404, and the console says so; any other client gets the API's
 * 404. Files with their hash in the name may be cached for ever; the page itself is requested again each
 * time. `limits` are the rate-limit headers of a request that is not counted.
 */
export function serveConsole(
  api: Hono<{ Variables: RequestState }>,
  { folder, paths }: ConsoleFiles,
  origins: { files: string; node: readonly string[] },
  limits: Record<string, string>,
): void {
  const files = readFiles(folder)
  const page = files.get('/index.html')
  if (!page) throw new Error(`CONSOLE_DIR has no index.html: ${folder}`)
  const policy = policyOf(origins)
  const pages = paths.flatMap((path) => (path === '/' ? ['/console', '/console/'] : [`/console${path}`]))
  const ofPage = { ...limits, 'cache-control': 'no-cache', 'content-security-policy': policy }
  for (const path of pages) api.get(path, (context) => respond(context, page, ofPage))
  for (const [path, file] of files) {
    const lasting = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    const headers = { ...limits, 'cache-control': lasting, 'content-security-policy': policy }
    const address = path === SDK ? path : `/console${path}`
    if (path !== '/index.html') api.get(address, (context) => respond(context, file, headers))
  }
  api.get('/console/*', (context, next) =>
    /\btext\/html\b/.test(context.req.header('accept') ?? '') ? respond(context, page, ofPage, 404) : next(),
  )
}

interface StoredFile {
  type: string
  bytes: Uint8Array<ArrayBuffer>
  zipped: Uint8Array<ArrayBuffer> | undefined
}

function readFiles(folder: string): Map<string, StoredFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) in TYPES)
  return new Map(
    names.map((name) => {
      const file = join(folder, name)
      const zipped = existsSync(`${file}.gz`) ? new Uint8Array(readFileSync(`${file}.gz`)) : undefined
      return [`/${name}`, { type: TYPES[extname(name)] ?? '', bytes: new Uint8Array(readFileSync(file)), zipped }]
    }),
  )
}

function respond(
  context: Context,
  { type, bytes, zipped }: StoredFile,
  headers: Record<string, string>,
  status: 200 | 404 = 200,
): Response {
  const takesZipped = zipped && /\bgzip\b/.test(context.req.header('accept-encoding') ?? '')
  return context.body(takesZipped ? zipped : bytes, status, {
    ...headers,
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    vary: 'Accept, Accept-Encoding',
    ...(takesZipped ? { 'content-encoding': 'gzip' } : {}),
  })
}

// Scripts come only from this server's files, and none of them writes HTML. Wallets announce their icons as
// data:. Previews and the bytes of deliveries come from the origin that serves users' files. `worker` is the
// script that registers the service worker of Web Push.
function policyOf({ files, node }: { files: string; node: readonly string[] }): string {
  return [
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'",
    ['connect-src', "'self'", files, ...node].join(' '),
    `img-src 'self' data: blob: ${files}; manifest-src 'self'; worker-src 'self'`,
    "require-trusted-types-for 'script'; trusted-types worker",
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  ].join('; ')
}
