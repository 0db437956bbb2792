import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import sharp from 'sharp'
import type { Market } from '../../../sdk/market.ts'
import { missingBrowser, type Size } from '../../console/browser.ts'
import {
  type ConsoleStack,
  enrol,
  expectQuiet,
  inspectAll,
  marketOf,
  signUp,
  startConsole,
} from '../../console/console.ts'

const org = 'verse-works'
const params = { org }
const BYTES = 9_000_000

describe('the pages of an org', { skip: missingBrowser() ?? false, timeout: 240_000 }, () => {
  let stack: ConsoleStack
  let market: Market
  let space: string
  before(async () => {
    stack = await startConsole()
    market = marketOf(stack, stack.sandbox.human_token)
    await market.call('createOrg', { body: { slug: org, display_name: 'Verse works' } })
    space = (await market.call('createSpace', { params, body: { name: 'Plans' } })).body.id
  })
  after(() => stack?.stop())

  it('let two people write a page at once, and lose nothing of either', async () => {
    const { body } = await market.call('createPage', {
      params,
      body: { space, title: 'Minutes', text: 'One\n\nTwo\n\nThree\n' },
    })
    const ref = { params: { org, ref: body.id } }
    const watched = await enrol(stack, 'desktop', stack.sandbox.human_enrolment_url)
    const { page, messages } = watched
    await page.goto(`${stack.sandbox.console_url}/orgs/${org}/pages/${body.short_id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const source = page.getByRole('textbox', { name: /^Text of the page/ })
    await source.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Four')
    await market.call('editPage', { ...ref, body: { text: 'One, theirs\n\nTwo\n\nThree\n' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('merged with what others had written').waitFor()
    expect((await market.call('getPage', ref)).body.text).to.equal('One, theirs\n\nTwo\n\nThree\nFour')

    await source.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('MINE ')
    await market.call('editPage', { ...ref, body: { text: 'THEIRS\n\nTwo\n\nThree\nFour' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Not saved: somebody else has changed the same lines').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Go on with your draft' }).click()
    expect(await source.textContent()).to.include('MINE One, theirs')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: /^Save what is in the editor over version/ }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    expect((await market.call('getPage', ref)).body.text).to.match(/^MINE One, theirs/)

    await page.locator('summary', { hasText: 'Attach files' }).click()
    const file = { name: 'film.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(BYTES, 7) }
    await page.locator('input[type=file]').first().setInputFiles(file)
    await page.getByRole('link', { name: 'film.bin' }).waitFor()
    const [attached] = (await market.call('listAttachments', { params, query: { page: body.id } })).body.items
    expect(attached).to.include({ filename: 'film.bin', size_bytes: BYTES })
    await page.getByRole('textbox', { name: 'Comment' }).fill('Seen.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByText('Seen.', { exact: true }).waitFor()

    const picture = await sharp({ create: { width: 640, height: 240, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await page.getByLabel('Show them at the end of the text').check()
    const river = { name: 'river.png', mimeType: 'image/png', buffer: picture }
    await page.locator('input[type=file]').first().setInputFiles(river)
    const shown = page.getByRole('img', { name: 'river.png' })
    await shown.waitFor()
    await page.waitForFunction("document.querySelector('img')?.naturalWidth === 640")
    const unexpected = messages.filter((message) => !/status of 4(01|12)/.test(message))
    expect(unexpected, 'messages of the browser').to.deep.equal([])
  })

  it('show a person everything of their org, at both widths', async () => {
    for (const size of ['desktop', 'phone'] satisfies Size[]) {
      const slug = `press-${size}`
      const watched = await signUp(stack, size, `Ada ${size}`.replace(' ', ''))
      const { page } = watched
      await page.goto(`${stack.sandbox.console_url}/orgs`)
      await page.getByRole('button', { name: 'New org' }).click()
      await page.getByLabel('Name').fill(slug)
      await page.getByRole('button', { name: 'Create org' }).click()
      await page.getByRole('heading', { level: 1, name: slug }).waitFor()
      await page.getByRole('button', { name: 'New space' }).click()
      await page.getByLabel('Name').fill('Plans')
      await page.getByRole('button', { name: 'Open space' }).click()
      await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
      await page.goto(`${stack.sandbox.console_url}/orgs/${slug}/tasks`)
      await page.getByRole('button', { name: 'New task' }).click()
      await page.getByLabel('Title').fill('Proofread')
      await page.getByRole('button', { name: 'File task' }).click()
      await page.getByRole('button', { name: 'Claim' }).click()
      await page.getByRole('timer').waitFor()
      await page.getByRole('button', { name: 'Release' }).click()
      await page.getByRole('button', { name: 'Archive' }).click()
      await page.getByRole('button', { name: 'Open again' }).waitFor()
      await page.goto(`${stack.sandbox.console_url}/orgs/${slug}/secrets`)
      await page.getByRole('button', { name: 'New secret' }).click()
      await page.getByLabel('Name').fill('printer')
      await page.getByLabel('Value').fill('correct horse')
      await page.getByRole('button', { name: 'Keep it' }).click()
      await page.getByRole('button', { name: 'Reveal printer' }).click()
      await page.getByRole('button', { name: 'Reveal', exact: true }).click()
      expect(await page.locator('[data-secret]').textContent()).to.equal('correct horse')
      const at = `/orgs/${slug}`
      const parts = [
        'pages',
        'tasks',
        'attachments',
        'decisions',
        'secrets',
        'notifications',
        'settings',
        'search?q=plans',
      ]
      const pages = parts.map((part) => [`${at}/${part}`, `work-${part.replace(/\?.*/, '')}`] as const)
      await inspectAll(watched, [['/orgs', 'work-orgs'], [at, 'work-org'], ...pages], size)
      expectQuiet(watched)
      await watched.context.close()
    }
  })
})
