import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import type { RequestState } from './serve.ts'

const FOLDER = new URL('../../console/', import.meta.url)

const PAGES = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/console/status.css': { file: 'status.css', type: 'text/css; charset=utf-8' },
  '/console/status.js': { file: 'status.js', type: 'text/javascript; charset=utf-8' },
} as const

// The page asks this service alone, and runs nothing that is not its own.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Serves the console's files, open to everyone: they hold nothing that is not public. */
export function mountConsole(api: Hono<{ Variables: RequestState }>): void {
  for (const [path, { file, type }] of Object.entries(PAGES)) {
    api.get(path, async () => {
      const text = await readFile(new URL(file, FOLDER), 'utf8')
      return new Response(text, { headers: { 'content-type': type, 'content-security-policy': POLICY } })
    })
  }
}
