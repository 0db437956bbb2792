import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { ROOT } from '../../../cli/machine/paths.ts'
import { buildFrom } from '../../../cli/stack/console.ts'
import { type Part, parse } from '../../../console/texts/message.ts'

const SOURCES = ['console', 'sdk', 'protocol', 'package.json', 'tsconfig.json']
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  woff2: 'font/woff2',
}
const [CAPITAL_A, SMALL_A] = [0x1d400, 0x1d41a]

/**
 * Returns every message of the console in a language that does not exist: each letter is another, and no
 * other thing.
 */
export function madeUpTexts(): Record<string, string> {
  const messages = JSON.parse(readFileSync(join(ROOT, 'console/texts/en.json'), 'utf8')) as Record<string, unknown>
  return Object.fromEntries(Object.keys(messages).map((message) => [message, written(parse(message))]))
}

/** Returns a text in letters of the made-up language, which no English text has. */
export function madeUp(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => {
    const base = letter < 'a' ? CAPITAL_A - 65 : SMALL_A - 97
    return String.fromCodePoint(base + (letter.codePointAt(0) ?? 0))
  })
}

function written(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return madeUp(part)
      if ('tag' in part) return `<${part.tag}>${written(part.inner)}</${part.tag}>`
      if (!('cases' in part)) return `{${part.value}}`
      const cases = Object.entries(part.cases).map(([name, inner]) => `${name} {${written(inner)}}`)
      return `{${part.value}, ${part.by}, ${cases.join(' ')}}`
    })
    .join('')
}

/**
 * Builds the console with one more language, as somebody does who adds its file, and has a page take its
 * files from there. Returns what removes them.
 */
export async function addLanguage(
  page: Page,
  language: string,
  texts: Record<string, string>,
): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'console-'))
  for (const source of SOURCES) await cp(join(ROOT, source), join(root, source), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  await writeFile(join(root, `console/texts/${language}.json`), JSON.stringify(texts))
  const folder = join(root, 'built')
  await buildFrom(join(root, 'console'), folder)
  await page.route('**/console/**', (route) => serve(route, folder))
  return async () => {
    await page.unroute('**/console/**')
    await rm(root, { recursive: true, force: true })
  }
}

/** Answers with a file of another build, under the headers of the service: its policy holds for it too. */
async function serve(route: Route, folder: string): Promise<void> {
  const { pathname } = new URL(route.request().url())
  const [, asset] = /^\/console\/(assets\/.+)$/.exec(pathname) ?? []
  if (!asset && route.request().resourceType() !== 'document') return route.continue()
  const file = asset ?? 'index.html'
  const body = await readFile(join(folder, file)).catch(() => undefined)
  if (!body) return route.continue()
  const headers = asset ? {} : (await route.fetch()).headers()
  delete headers['content-encoding']
  delete headers['content-length']
  await route.fulfill({ body, headers, contentType: TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream' })
}

interface Shown {
  checkVisibility: () => boolean
  closest: (selector: string) => unknown
  getAttribute: (name: string) => string | null
}

interface TextNode {
  textContent: string
  parentElement: Shown
}

interface BrowserDocument {
  body: unknown
  createTreeWalker: (root: unknown, show: number) => { nextNode: () => TextNode | null }
  querySelectorAll: (selector: string) => Iterable<Shown>
}

/**
 * Returns the texts of a page, of elements and attributes, that have English letters. Code, keys, ids and
 * times have them in any language.
 */
export async function latinTextsOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const { document } = globalThis as unknown as { document: BrowserDocument }
    const verbatim = 'code, pre, kbd, time, .mono, textarea, noscript, script, style'
    const walker = document.createTreeWalker(document.body, 4)
    const nodes: TextNode[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node)
    const words = nodes
      .filter(({ parentElement: element }) => element.checkVisibility() && !element.closest(verbatim))
      .map(({ textContent }) => textContent)
    const labels = ['aria-label', 'placeholder', 'alt', 'data-label'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)]
        .filter((element) => element.checkVisibility())
        .map((element) => element.getAttribute(name) ?? ''),
    )
    return [...words, ...labels]
  })
  return [...new Set(texts.map((text) => text.trim()).filter((text) => /[A-Za-z]{2}/.test(text)))]
}
