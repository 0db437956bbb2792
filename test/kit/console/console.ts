import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { createFirstEnrolments } from '../../../api/identity/setup/firstEnrolments.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import type { SandboxFile } from '../../../cli/machine/sandboxFile.ts'
import { buildConsole } from '../../../cli/stack/console.ts'
import { Sandbox } from '../../../cli/stack/sandbox.ts'
import { createMarket, type Market } from '../../../sdk/market.ts'
import { type Stack, type StackOptions, startStack } from '../stack/stack.ts'
import { inspect, openBrowser, openPage, type Size, type WatchedPage } from './browser.ts'

/** Where a console is, and a browser. */
export interface Site {
  sandbox: Pick<SandboxFile, 'base_url' | 'console_url'>
  browser: Browser
}

/** A whole sandbox with its console, and a browser. */
export interface ConsoleStack extends Site {
  sandbox: SandboxFile
  stop: () => Promise<void>
}

/**
 * The processes on a chain and a database of the test's own, with a console, a browser, and the links of the
 * first people.
 */
export interface StackSite extends Site {
  stack: Stack
  links: { human: string; operator: string; reviewers: string[] }
  stop: () => Promise<void>
}

/** Starts a sandbox and a browser. */
export async function startConsole(): Promise<ConsoleStack> {
  const failures: string[] = []
  const sandbox = new Sandbox({
    port: await freePort(),
    evidenceSeconds: '2',
    step: (_title, work) => work(),
    onNotice: () => {},
    onLoss: ({ message }) => failures.push(message),
  })
  try {
    const [file, browser] = await Promise.all([sandbox.start(), openBrowser()])
    return {
      sandbox: file,
      browser,
      stop: async () => {
        await browser.close()
        await sandbox.stop()
        expect(failures, 'parts of the sandbox that were lost').to.deep.equal([])
      },
    }
  } catch (error) {
    await sandbox.stop()
    throw error
  }
}

/** Starts the processes, whose chain and database the test reaches, and a browser. */
export async function startSite(options: StackOptions = {}): Promise<StackSite> {
  const env = { ...options.env, CONSOLE_DIR: await buildConsole() }
  const [stack, browser] = await Promise.all([startStack({ ...options, env }), openBrowser()])
  const consoleUrl = `${stack.baseUrl}/console`
  const { human, operator, reviewers } = await createFirstEnrolments(stack.databaseUrl, stack.credentials.human_urn)
  const linkOf = (enrolment = '') => `${consoleUrl}/enrol#${enrolment}`
  return {
    stack,
    sandbox: { base_url: stack.baseUrl, console_url: consoleUrl },
    browser,
    links: { human: linkOf(human), operator: linkOf(operator), reviewers: reviewers.map(linkOf) },
    stop: async () => {
      await browser.close()
      await stack.stop()
    },
  }
}

/** Opens a page and signs somebody new up in it. */
export async function signUp({ sandbox, browser }: Site, size: Size, name: string): Promise<WatchedPage> {
  const watched = await openPage(browser, size)
  const { page } = watched
  await page.goto(sandbox.console_url)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail').fill(`${name.toLowerCase()}@example.com`)
  await page.getByRole('button', { name: 'Sign up with a new passkey' }).click()
  await page.getByRole('heading', { level: 1, name: `Hello, ${name}` }).waitFor()
  return watched
}

/** Opens a page and enrols in it by a link: the operator's, or that of the first human. */
export async function enrol(
  { browser }: Pick<Site, 'browser'>,
  size: Size,
  link: string | undefined,
): Promise<WatchedPage> {
  if (!link) throw new Error('the sandbox gave no such link')
  const watched = await openPage(browser, size)
  await watched.page.goto(link)
  await watched.page.getByRole('button', { name: 'Make a passkey' }).click()
  await watched.page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
  return watched
}

/**
 * Visits pages by their addresses under /console, and inspects each once it has its heading and nothing is
 * being read.
 */
export async function inspectAll(watched: WatchedPage, pages: readonly (readonly [string, string])[], size: Size) {
  for (const [path, name] of pages) {
    await watched.page.goto(new URL(`/console${path}`, watched.page.url()).href)
    await watched.page.locator('h1').first().waitFor()
    await watched.page.locator('main:not([aria-busy=true])').waitFor()
    await inspect(watched, `${name}-${size}`)
  }
}

/**
 * What the console's log may say: the browser's own line about an answer that asks for a sign-in, or a
 * payment.
 */
export function expectQuiet({ messages }: WatchedPage): void {
  const unexpected = messages.filter((message) => !/status of 40[12]/.test(message))
  expect(unexpected, 'messages of the browser: violations of the policy are some').to.deep.equal([])
}

/** Returns the market as an account of the sandbox. */
export function marketOf({ sandbox }: Site, token: string): Market {
  return createMarket({ baseUrl: sandbox.base_url, token })
}
