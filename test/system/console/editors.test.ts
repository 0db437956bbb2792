import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { Market } from '../../../sdk/market.ts'
import { missingBrowser, type WatchedPage } from '../../kit/console/browser.ts'
import { type ConsoleStack, enrol, expectQuiet, marketOf, startConsole } from '../../kit/console/console.ts'

const org = 'verse-works'
const params = { org }
const KEY_EVERY_MS = 25
const LINES = [
  'The heron stands in the reeds.',
  'It waits.',
  '',
  'A fish comes by,',
  'and is seen.',
  '',
  'x',
  'y',
  'End.',
]
const TEXT = LINES.join('\n')

// In a page whose thread is busy with other work, what is shown lags behind what is typed.
describe('the editors of the console, in a busy page', { skip: missingBrowser() ?? false, timeout: 240_000 }, () => {
  let stack: ConsoleStack
  let market: Market
  let space: string
  let watched: WatchedPage
  before(async () => {
    stack = await startConsole()
    market = marketOf(stack, stack.sandbox.human_token)
    await market.call('createOrg', { body: { slug: org, display_name: 'Verse works' } })
    space = (await market.call('createSpace', { params, body: { name: 'Plans' } })).body.id
    watched = await enrol(stack, 'desktop', stack.sandbox.human_enrolment_url)
  })
  after(() => stack?.stop())

  it('keep every character of a page, and take in what others save', async () => {
    const { page } = watched
    const { body } = await market.call('createPage', {
      params,
      body: { space, title: 'Heron', text: 'First\n\nLast\n' },
    })
    const ref = { params: { org, ref: body.id } }
    await open(body.short_id)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const source = page.getByRole('textbox', { name: /^Text of the page/ })
    const shown = async () => (await source.locator('.cm-line').allTextContents()).join('\n')
    await source.click()
    await page.keyboard.press('Control+End')
    await keepBusy(page)
    await typeFast(page, TEXT)
    expect(await shown()).to.equal(`First\n\nLast\n${TEXT}`)

    await market.call('editPage', { ...ref, body: { text: 'First, theirs\n\nLast\n' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('merged with what others wrote').waitFor()
    expect(await shown()).to.equal(`First, theirs\n\nLast\n${TEXT}`)
    await source.focus()
    await typeFast(page, '\nMore')
    expect(await shown(), 'what is typed after a merge').to.equal(`First, theirs\n\nLast\n${TEXT}\nMore`)

    await market.call('editPage', { ...ref, body: { text: 'Theirs alone' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Start again from theirs' }).click()
    expect(await shown()).to.equal('Theirs alone')
    await page.getByText('Your former text').waitFor()
    await source.click()
    await page.keyboard.press('Control+End')
    await typeFast(page, '\nMine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    expect((await market.call('getPage', ref)).body.text).to.equal('Theirs alone\nMine')
  })

  it('keep every character of a comment, also what is typed while it is sent', async () => {
    const { page } = watched
    const { body } = await market.call('createPage', { params, body: { space, title: 'Egret', text: 'White' } })
    await open(body.short_id)
    const field = page.getByRole('textbox', { name: 'Comment' })
    await field.click()
    await keepBusy(page)
    await typeFast(page, TEXT)
    expect(await field.inputValue()).to.equal(TEXT)

    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route('**/comments', async (route) => {
      if (route.request().method() === 'POST') {
        asked.resolve()
        await answered.promise
      }
      await route.continue()
    })
    await page.keyboard.press('Control+Enter')
    await asked.promise
    await typeFast(page, ' More')
    answered.resolve()
    await page.getByRole('article').getByText('It waits.').waitFor()
    expect(await field.inputValue(), 'what was typed meanwhile').to.equal(`${TEXT} More`)
    await page.unrouteAll()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article').getByText('End. More').waitFor()
    expect(await field.inputValue(), 'after it was sent as it is').to.equal('')
  })

  after(() => {
    const unexpected = watched.messages.filter((message) => !/status of 412/.test(message))
    expectQuiet({ ...watched, messages: unexpected })
  })

  async function open(page: string): Promise<void> {
    await watched.page.goto(`${stack.sandbox.console_url}/orgs/${org}/pages/${page}`)
  }
})

type Page = WatchedPage['page']

/** Makes the page's thread busy for 35 of every 50 ms, until the page is left. */
async function keepBusy(page: Page): Promise<void> {
  await page.evaluate(() => {
    setInterval(() => {
      const until = performance.now() + 35
      while (performance.now() < until);
    }, 50)
  })
}

/** Types as somebody does, who waits for nothing: a key every 25 ms. */
async function typeFast(page: Page, text: string): Promise<void> {
  const pressed: Promise<void>[] = []
  for (const character of text) {
    pressed.push(page.keyboard.press(character === '\n' ? 'Enter' : character))
    await wait(KEY_EVERY_MS)
  }
  await Promise.all(pressed)
}
