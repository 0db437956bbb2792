import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { exclusively } from '../../../cli/machine/lock.ts'
import { STATE_DIR } from '../../../cli/machine/paths.ts'

const run = promisify(execFile)
const PACKED = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))))
const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOURS = { type: 'rule', values: ['color-contrast'] }
const SCREENS = join(STATE_DIR, 'screens')

/** The widths that pages are tried at. */
export const SIZES = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const
export type Size = keyof typeof SIZES

/** Returns why there is no browser on this machine, or undefined if there is one. */
export function missingBrowser(): string | undefined {
  if (process.env.CHROMIUM || (process.platform === 'linux' && process.arch === 'x64') || onPath()) return undefined
  return `no Chromium for ${process.platform}-${process.arch} on npm: install chromium, or set CHROMIUM to its path`
}

/** Starts a browser: the one that CHROMIUM names, the one of the lockfile, or one on the PATH. */
export async function openBrowser(): Promise<Browser> {
  const { CHROMIUM } = process.env
  if (CHROMIUM) return chromium.launch({ executablePath: CHROMIUM })
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const executablePath = onPath()
    if (!executablePath) throw new Error(missingBrowser())
    return chromium.launch({ executablePath })
  }
  const folder = await unpack()
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib') } as Record<string, string>
  return chromium.launch({ executablePath: join(folder, 'chromium'), env })
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(':')
  const names = ['chromium', 'google-chrome']
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file))
}

/**
 * Unpacks the browser of the lockfile once. The package writes into the temporary folder, so it gets one of
 * its own.
 */
async function unpack(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKED, 'package.json'), 'utf8')) as { version: string }
  const folder = join(STATE_DIR, `browser-${version}`)
  await exclusively('browser', async () => {
    if (existsSync(folder)) return
    const partial = await mkdtemp(`${STATE_DIR}browser-`)
    const script = `import { inflate } from '@sparticuz/chromium'
      for (const name of ['chromium.br', 'al2023.tar.br']) await inflate(process.argv[1] + '/bin/' + name)`
    try {
      await run(process.execPath, ['--input-type=module', '-e', script, PACKED], {
        env: { ...process.env, TMPDIR: partial },
      })
      await rename(partial, folder)
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  })
  return folder
}

/** A page whose console messages are collected: a violation of the policy is one of them. */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  messages: string[]
  /** Makes it another device of the same person: one that holds none of their passkeys. */
  changeDevice: () => Promise<void>
}

/** Opens a page at a width, with an authenticator that holds passkeys. */
export async function openPage(
  browser: Browser,
  size: Size,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<WatchedPage> {
  const context = await browser.newContext({ ...SIZES[size], colorScheme, locale: 'en-GB', timezoneId: 'UTC' })
  const page = await context.newPage()
  const messages: string[] = []
  page.on('console', (message) => messages.push(`${message.text()} ${message.location().url}`))
  page.on('pageerror', (error) => messages.push(String(error)))
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const changeDevice = async () => {
    await session.send('WebAuthn.clearCredentials', { authenticatorId })
  }
  return { page, context, messages, changeDevice }
}

/** Checks that axe finds nothing wrong on the page, and that nothing is too wide; keeps a picture of it. */
export async function inspect(watched: WatchedPage, name: string): Promise<void> {
  // A page has its heading once what it shows has been read.
  await watched.page.locator('h1').first().waitFor({ state: 'attached' })
  await untilStill(watched)
  await keepPicture(watched, name)
  await expectAccessible(watched, name)
  await expectNoOverflow(watched, name)
}

/** Inspects a page by day, and its colours at night too. */
export async function inspectInBoth(watched: WatchedPage, name: string): Promise<void> {
  await inspect(watched, name)
  await watched.page.emulateMedia({ colorScheme: 'dark' })
  await untilStill(watched)
  await keepPicture(watched, `${name}-dark`)
  await expectAccessible(watched, `${name} in the dark`, 'colours')
  await watched.page.emulateMedia({ colorScheme: null })
}

/**
 * Waits until what appears has appeared: half-way its contrast is low. A change of the page begins its
 * transition with the next frame, so it is still once two frames have none.
 */
async function untilStill({ page }: WatchedPage): Promise<void> {
  await page.evaluate(async () => {
    const { document, requestAnimationFrame } = globalThis as unknown as {
      document: { getAnimations: () => { playState: string; finished: Promise<unknown> }[] }
      requestAnimationFrame: (onFrame: () => void) => void
    }
    for (let stillFrames = 0; stillFrames < 2; stillFrames++) {
      await new Promise<void>((resolve) => requestAnimationFrame(resolve))
      const running = document.getAnimations().filter(({ playState }) => playState === 'running')
      if (running.length > 0) stillFrames = -1
      // What leaves meanwhile never ends.
      await Promise.allSettled(running.map(({ finished }) => finished))
    }
  })
}

/** Keeps a picture of a page, to be looked at. */
export async function keepPicture({ page }: WatchedPage, name: string): Promise<void> {
  await mkdir(SCREENS, { recursive: true })
  await page.screenshot({ path: join(SCREENS, `${name}.png`), fullPage: true })
}

/** Checks that axe finds nothing wrong on the page: by all of its rules, or by those about colours alone. */
export async function expectAccessible({ page }: WatchedPage, name: string, rules: 'all' | 'colours' = 'all') {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'))
  const found = await page.evaluate(
    async (runOnly) => {
      const { axe } = globalThis as unknown as {
        axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
      }
      const { violations } = await axe.run({ runOnly })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    rules === 'all' ? RULES : COLOURS,
  )
  expect(found, `what axe finds on ${name}`).to.deep.equal([])
}

/** Checks that nobody has to scroll sideways. */
export async function expectNoOverflow({ page }: WatchedPage, name: string): Promise<void> {
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = (
      globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
    ).document.documentElement
    return scrollWidth - clientWidth
  })
  expect(overflow, `how far ${name} is too wide, in pixels`).to.be.at.most(0)
}
