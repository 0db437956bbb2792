import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { strToU8, unzipSync, zipSync } from 'fflate'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { noticeKinds } from '../../../api/modules.ts'
import { createParties } from '../../../cli/user/demo/parties.ts'
import { PREF_KINDS } from '../../../console/pages/work/notifications/internal/prefKinds.ts'
import type { Market } from '../../../sdk/market.ts'
import { inspect, inspectInBoth, missingBrowser, type WatchedPage } from '../../kit/console/browser.ts'
import { type ConsoleStack, enrol, expectQuiet, marketOf, signUp, startConsole } from '../../kit/console/console.ts'
import { addWallet } from '../../kit/console/wallet.ts'

const org = 'verse-works'
const params = { org }
const BYTES = 9_000_000
/** Less than the interval of any page that reads its things again by itself. */
const LIVE_MS = 8_000
const SUBSCRIBING = `PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  if (!applicationServerKey) throw new Error('the page names no key')
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const base64url = (bytes) =>
    btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const p256dh = base64url(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
  const auth = base64url(crypto.getRandomValues(new Uint8Array(16)))
  return { toJSON: () => ({ endpoint: 'https://push.example.com/1', keys: { p256dh, auth } }) }
}`

// Run in the page: a file is pasted into the text that is edited.
const PASTING = `(() => {
  const { shadowRoot } = Array.from(document.querySelectorAll('form div')).find(({ shadowRoot }) => shadowRoot)
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File(['Herons'], 'map.txt', { type: 'text/plain' }))
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true })
  shadowRoot.querySelector('.cm-content').dispatchEvent(event)
})()`

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
    await page.getByText('merged with what others wrote').waitFor()
    expect((await market.call('getPage', ref)).body.text).to.equal('One, theirs\n\nTwo\n\nThree\nFour')

    await source.click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('MINE ')
    await market.call('editPage', { ...ref, body: { text: 'THEIRS\n\nTwo\n\nThree\nFour' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Not saved: somebody else has changed the same lines').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Continue your draft' }).click()
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
    expect(await shown.evaluate(widthOf)).to.equal(640)
    const unexpected = messages.filter((message) => !/status of 4(01|12)/.test(message))
    expect(unexpected, 'messages of the browser').to.deep.equal([])
  })

  it('let a person found an org, and work in it from a phone', async () => {
    const watched = await signUp(stack, 'phone', 'Ada')
    const { page } = watched
    await page.goto(`${stack.sandbox.console_url}/orgs`)
    await page.getByRole('button', { name: 'New org' }).click()
    await page.getByLabel('Name').fill('press')
    await page.getByRole('button', { name: 'Create org' }).click()
    await page.getByRole('heading', { level: 1, name: 'press' }).waitFor()
    await page.getByRole('button', { name: 'New space' }).click()
    await page.getByLabel('Name').fill('Plans')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
    await page.goto(`${stack.sandbox.console_url}/orgs/press/tasks`)
    await page.getByRole('button', { name: 'New task' }).click()
    await page.getByLabel('Title').fill('Proofread')
    await page.getByRole('button', { name: 'File task' }).click()
    await page.getByRole('button', { name: 'Claim' }).click()
    await page.getByRole('timer').waitFor()
    await page.getByRole('button', { name: 'Release' }).click()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.goto(`${stack.sandbox.console_url}/orgs/press/secrets`)
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByLabel('Name').fill('printer')
    await page.getByLabel('Value').fill('correct horse')
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Reveal printer' }).click()
    await page.getByRole('button', { name: 'Reveal', exact: true }).click()
    expect(await page.locator('[data-secret]').textContent()).to.equal('correct horse')
    await inspect(watched, 'secret-revealed-phone')
    expectQuiet(watched)
    await watched.context.close()
  })

  describe('of two people', () => {
    const guild = '/orgs/guild'
    let ada: WatchedPage
    let bob: WatchedPage
    let space: string
    let agent: string
    before(async () => {
      ada = await signUp(stack, 'desktop', 'Grace')
      bob = await signUp(stack, 'phone', 'Bob')
      const { chain_id: chainId, rpc_url: rpcUrl, human_token } = stack.sandbox
      const { address } = await addWallet(ada.context, { chainId, rpcUrl })
      await marketOf(stack, human_token).call('requestSandboxFunds', { body: { address } })
      const me = await call(ada, 'GET', '/v1/me')
      await call(ada, 'POST', '/v1/me/orgs', { slug: 'guild', display_name: 'The guild' })
      space = (await call(ada, 'POST', `${guild}/spaces`, { name: 'Drafts' })).id
      const made = await call(ada, 'POST', '/v1/accounts/agents', { owner_urn: me.owner_urn, display_name: 'Kestrel' })
      agent = made.urn.body
    })

    it('have one join the other by an invitation', async () => {
      await go(ada, `${guild}/settings`)
      await ada.page.getByLabel('Invite somebody').fill('bob@example.org')
      await ada.page.getByRole('button', { name: 'Invite' }).click()
      await ada.page.getByRole('button', { name: 'Withdraw the invitation of bob@example.org' }).waitFor()
      await inspectInBoth(ada, 'work-invited-desktop')
      // A sandbox sends no mail: the link is passed on.
      const link = String(await ada.page.locator('[data-secret]').textContent())
      await bob.page.goto(link)
      await bob.page.getByText('Grace invites you as a member').waitFor()
      await inspectInBoth(bob, 'work-invitation-phone')
      await bob.page.getByRole('button', { name: 'Join as Bob' }).click()
      await bob.page.getByText('You are member of guild').waitFor()
      await go(ada, '/notifications')
      await ada.page.getByRole('link', { name: 'Somebody you invited joined an org' }).waitFor()
      await go(bob, `/invitation${new URL(link).hash}`)
      await bob.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
      bob.messages.splice(0, bob.messages.length, ...bob.messages.filter((one) => !/status of 404/.test(one)))
      await go(ada, `${guild}/settings`)
      const changed = ada.page.waitForResponse((answer) => answer.request().method() === 'PATCH')
      await ada.page.getByRole('combobox', { name: 'Role of Bob' }).selectOption('admin')
      await changed
      await go(bob, guild)
      await bob.page.getByText('You are admin of guild').waitFor()
    })

    it('see who is in an org, and go from one org to the same list of another', async () => {
      const { page } = ada
      await call(ada, 'POST', '/v1/me/orgs', { slug: 'studio', display_name: 'The studio' })
      await go(ada, guild)
      const people = page.getByRole('list', { name: 'People' })
      await people.getByText('Bob').waitFor()
      expect(await people.getByRole('listitem').allTextContents()).to.have.members(['GGrace (you)', 'BBob'])
      await go(ada, '/account')
      const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#7a3' } })
        .jpeg()
        .toBuffer()
      const file = { name: 'grace.jpg', mimeType: 'image/jpeg', buffer: photo }
      await page.getByLabel('Picture of Grace').setInputFiles(file)
      await page.getByRole('button', { name: 'Change the picture' }).waitFor()
      await inspectInBoth(ada, 'account-picture-desktop')
      for (const person of [ada, bob]) {
        await go(person, guild)
        const shown = person.page.getByRole('list', { name: 'People' }).locator('img')
        await shown.waitFor()
        expect(await shown.evaluate(widthOf)).to.equal(192)
      }
      await inspectInBoth(ada, 'work-who-desktop')
      await go(ada, `${guild}/tasks`)
      await page.getByLabel('Org', { exact: true }).selectOption('The studio')
      await page.waitForURL('**/orgs/studio/tasks')
    })

    it('keep a space to some of them, name it anew, and put it away', async () => {
      const { page } = ada
      await go(ada, guild)
      await page.getByRole('button', { name: 'New space' }).click()
      await page.getByLabel('Name').fill('Budgets')
      await page.getByLabel('Visible to').selectOption('private')
      await page.getByRole('button', { name: 'Create space' }).click()
      await page.getByLabel('Add a member').selectOption({ label: 'Bob' })
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: 'Remove Bob' }).waitFor()
      await inspect(ada, 'work-space-private-desktop')
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Ledgers')
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('heading', { level: 1, name: 'Ledgers' }).waitFor()
      await page.getByRole('button', { name: 'Archive' }).click()
      await page.getByRole('button', { name: 'Unarchive' }).waitFor()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete for good' }).click()
      await page.getByRole('heading', { level: 1, name: 'The guild' }).waitFor()
    })

    it('write a page as it will look, both at once, with menus of blocks, pages and people', async () => {
      const { page } = ada
      const begun = { space, title: 'Plan', text: 'One\r\n\r\n**Two**\r\n\r\n| a | b |\r\n|---|---|\r\n| c | d |\r\n' }
      const { id, short_id } = await call(ada, 'POST', `${guild}/pages`, begun)
      const sources = []
      for (const person of [ada, bob]) {
        await go(person, `${guild}/pages/${short_id}`)
        await person.page.getByRole('button', { name: 'Edit', exact: true }).click()
        const source = person.page.getByRole('textbox', { name: /^Text of the page/ })
        sources.push(source)
        await source.getByRole('cell', { name: 'd' }).waitFor()
        expect(await source.locator('.cm-line').allTextContents()).to.deep.equal(['One', '', 'Two', '', ''])
      }
      const [hers, his] = sources
      await hers?.getByText('Two').click()
      expect(await hers?.locator('.cm-line').allTextContents()).to.include('**Two**')
      await page.keyboard.press('Control+End')
      await page.keyboard.type('/to-do')
      await inspectInBoth(ada, 'page-menu-desktop')
      await page.keyboard.press('Enter')
      await page.keyboard.type('Ask @bo')
      await page.keyboard.press('Enter')
      await page.keyboard.type('on [[plan')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await page.keyboard.type('soon')
      await hers?.getByRole('checkbox').first().check()
      await hers?.getByText('One').click()
      await page.keyboard.press('End')
      await page.evaluate(PASTING)
      await hers
        ?.getByText('map.txt')
        .filter({ hasNot: page.getByRole('progressbar') })
        .waitFor()

      await his?.getByText('Two').click()
      await bob.page.keyboard.press('End')
      await bob.page.keyboard.type(', his')
      await inspect(bob, 'page-live-phone')
      await bob.page.keyboard.press('Control+s')
      await bob.page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
      await page.keyboard.press('Control+s')
      await page.getByText('merged with what others wrote').waitFor()
      await inspectInBoth(ada, 'page-live-desktop')
      await page.getByRole('button', { name: 'Markdown source' }).click()
      expect(await hers?.locator('.cm-line').allTextContents())
        .to.include('One![[map.txt]]')
        .and.include('**Two**, his')
      await inspect(ada, 'page-source-desktop')
      await page.getByRole('button', { name: 'Hide the source' }).click()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      const { urn } = await call(bob, 'GET', '/v1/me')
      const added = `- [x] Ask @market:human:${urn.body} on [[Plan]]\r\n- [ ] soon`
      expect((await call(ada, 'GET', `${guild}/pages/${id}`)).text).to.equal(
        `${begun.text.replace('One', 'One![[map.txt]]').replace('**Two**', '**Two**, his')}${added}`,
      )
      await page.getByText('@Bob').waitFor()
    })

    it('take pages along, on paper or as an archive, and move them in the tree', async () => {
      const { page } = ada
      const make = (title: string, body: object) => call(ada, 'POST', `${guild}/pages`, { space, title, ...body })
      const top = await make('Handbook', { text: '# Herons' })
      await make('Feeding', { text: 'Fish.', parent: top.id })
      const loose = await make('Loose leaf', { text: '' })
      await go(ada, `${guild}/pages/${top.short_id}`)
      const tree = page.getByRole('navigation', { name: 'Pages of the org' })
      await tree.getByRole('link', { name: 'Loose leaf' }).dragTo(tree.getByRole('link', { name: 'Handbook' }))
      await tree.getByRole('status').getByText('Moved Loose leaf below Handbook.').waitFor({ state: 'attached' })
      await tree.getByRole('link', { name: 'Handbook' }).dragTo(tree.getByRole('link', { name: 'Feeding' }))
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByText('3 pages, those below it included').waitFor()
      expect((await call(ada, 'GET', `${guild}/pages/${loose.id}`)).parent_id).to.equal(top.id)
      expect((await call(ada, 'GET', `${guild}/pages/${top.id}`)).parent_id, 'not below itself').to.equal(null)
      await inspectInBoth(ada, 'page-export-desktop')
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Markdown archive' }).click()
      const saved = await download
      expect(saved.suggestedFilename()).to.equal('Handbook.zip')
      const files = unzipSync(await readFile(await saved.path()))
      expect(Object.keys(files)).to.have.members(['Handbook.md', 'Handbook/Feeding.md', 'Handbook/Loose leaf.md'])
      const printed = Promise.withResolvers<string>()
      await page.exposeFunction('tellPrinted', printed.resolve)
      await page.evaluate('window.print = () => void window.tellPrinted(document.body.lastElementChild.textContent)')
      await page.getByRole('button', { name: 'Print, or save as PDF' }).click()
      expect(await printed.promise).to.match(/^Handbook.*Herons.*Feeding.*Fish\..*Loose leaf/s)
    })

    it('shut agents out, one or all', async () => {
      const { page } = ada
      await go(ada, `${guild}/settings`)
      await page.getByLabel('Add an agent of yours').selectOption({ label: 'Kestrel' })
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: 'Pause Kestrel' }).click()
      await page.getByRole('button', { name: 'Resume Kestrel' }).click()
      await page.getByRole('button', { name: 'Pause Kestrel' }).waitFor()
      await page.getByRole('button', { name: 'Shut every agent out' }).click()
      await page.getByRole('button', { name: 'Shut them out' }).click()
      await page.getByText('Every agent is shut out').waitFor()
      await inspect(ada, 'work-kill-switch-desktop')
      await page.getByRole('button', { name: 'Let agents in again' }).click()
      await page.getByRole('button', { name: 'Let them in' }).click()
      await page.getByText('The kill switch is off').waitFor()
    })

    it('open dialogs at their first field, come back to where they were, and send and save by keys', async () => {
      const { page } = ada
      const focusIsOn = (element: Locator) => element.and(page.locator(':focus')).waitFor({ timeout: 10_000 })
      const heading = page.getByRole('heading', { level: 1 })
      const palette = page.getByRole('textbox', { name: /^A page/ })
      // The name of the org arrives late: the heading that gets it takes the focus from nobody.
      const named = Promise.withResolvers<void>()
      await page.route('**/v1/me/orgs*', async (route) => {
        await named.promise
        await route.continue()
      })
      await go(ada, guild)
      const opener = page.getByRole('button', { name: 'New space' })
      await opener.press('Enter')
      await focusIsOn(page.getByLabel('Name'))
      await page.keyboard.press('Escape')
      await focusIsOn(opener)
      named.resolve()
      await heading.filter({ hasText: 'The guild' }).waitFor()
      await page.unroute('**/v1/me/orgs*')
      await focusIsOn(opener)
      await page.keyboard.press('Control+k')
      await focusIsOn(palette)
      await page.keyboard.press('Escape')
      await focusIsOn(opener)
      await opener.blur()
      await page.keyboard.press('Control+k')
      await focusIsOn(palette)
      await page.keyboard.press('Escape')
      await focusIsOn(heading)
      await page.keyboard.press('/')
      await focusIsOn(page.getByLabel('Words'))
      expect(new URL(page.url()).pathname).to.equal(`/console${guild}/search`)

      await go(ada, `${guild}/pages`)
      await page.getByRole('button', { name: 'New page' }).first().click()
      await page.keyboard.type('Keys')
      await page.keyboard.press('Control+Enter')
      await heading.filter({ hasText: 'Keys' }).waitFor()
      const edit = page.getByRole('button', { name: 'Edit', exact: true })
      for (const [text, key] of [
        ['One', 'Control+s'],
        ['Two ', 'Control+Enter'],
      ] as const) {
        await edit.click()
        await page.getByRole('textbox', { name: /^Text of the page/ }).click()
        await page.keyboard.press('Control+Home')
        await page.keyboard.type(text)
        await page.keyboard.press(key)
        await edit.waitFor()
      }
      await page.getByText('Two One').waitFor()
      await page.getByRole('textbox', { name: 'Comment' }).fill('Seen.')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('article').getByRole('button', { name: 'Delete' }).click()
      await focusIsOn(page.getByRole('button', { name: 'Cancel' }))
      await inspect(ada, 'comment-delete-desktop')
      await page.keyboard.press('Control+Enter')
      await page.getByText('A comment was deleted here.').waitFor()
      await focusIsOn(heading)
    })

    it('see what others write as they write it, and lose nothing that they type meanwhile', async () => {
      const { page } = ada
      const text = 'One\n\nTwo\n\nThree\n'
      const { id, short_id } = await call(ada, 'POST', `${guild}/pages`, { space, title: 'Ballads', text })
      const edit = (body: object) => call(bob, 'PATCH', `${guild}/pages/${id}`, body)
      const comment = (words: string) => call(bob, 'POST', `${guild}/comments`, { page: id, text: words })
      await goLive(ada, `${guild}/pages/${short_id}`)
      await page.getByText('Three').waitFor()
      await edit({ text: 'One\n\nTwo\n\nThree, his\n' })
      await page.getByText('Three, his').waitFor({ timeout: LIVE_MS })
      await comment('He was here.')
      await page.getByText('He was here.').waitFor({ timeout: LIVE_MS })

      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const source = page.getByRole('textbox', { name: /^Text of the page/ })
      await source.click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('Hers ')
      await edit({ title: 'Odes', text: 'One\n\nTwo\n\nThree, anew\n' })
      await page.getByRole('heading', { level: 1, name: 'Odes' }).waitFor({ timeout: LIVE_MS })
      await page.keyboard.type('and more ')
      expect(await source.textContent()).to.include('Hers and more One')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('merged with what others wrote').waitFor()
      const saved = await call(ada, 'GET', `${guild}/pages/${id}`)
      expect(saved).to.include({ title: 'Odes', text: 'Hers and more One\n\nTwo\n\nThree, anew\n' })

      await go(bob, `${guild}/pages/${short_id}`)
      await bob.page.getByText('also here: Grace (editing)').waitFor()
      await page.getByText('also here: Bob', { exact: false }).waitFor({ timeout: LIVE_MS })
      await inspect(ada, 'page-presence-desktop')
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await bob.page.getByText('also here: Grace', { exact: false }).filter({ hasNotText: 'editing' }).waitFor()
      const navigation = page.getByRole('navigation', { name: 'Pages' })
      await navigation.getByRole('button', { name: 'Trade' }).click()
      await navigation.getByRole('link', { name: 'Orders' }).click()
      await bob.page.getByText('also here').waitFor({ state: 'hidden' })

      await goLive(ada, `${guild}/tasks`)
      await call(bob, 'POST', `${guild}/tasks`, { space, title: 'Sing it' })
      await page.getByRole('link', { name: 'Sing it' }).waitFor({ timeout: LIVE_MS })
      await goLive(ada, `${guild}/notifications`)
      const { urn } = await call(ada, 'GET', '/v1/me')
      await comment(`@market:human:${urn.body} look`)
      await page.getByRole('link', { name: 'You were mentioned' }).waitFor({ timeout: LIVE_MS })
    })

    it('see where a reference leads as they write it: to a file, to a page by either of its titles, or to nothing', async () => {
      const { page } = ada
      const write = (title: string) => call(ada, 'POST', `${guild}/pages`, { space, title, text: '' })
      const goal = await write('Heronry')
      await call(ada, 'PATCH', `${guild}/pages/${goal.id}`, { title: 'Colony' })
      // The name that a page has now leads there, whoever had it before.
      const [former, heir] = [await write('Roost'), await write('Perch')]
      await call(ada, 'PATCH', `${guild}/pages/${former.id}`, { title: 'Nest' })
      await call(ada, 'PATCH', `${guild}/pages/${heir.id}`, { title: 'Roost' })
      const drawings = await write('Drawings')
      await go(ada, `${guild}/pages/${drawings.short_id}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByRole('button', { name: 'Markdown source' }).click()
      await page.getByRole('textbox', { name: /^Text of the page/ }).click()
      await page.keyboard.type('[[Heronry]] [[Colony|the birds]] [[Roost]] [[Nowhere]] ')
      const chart = { name: 'chart.txt', mimeType: 'text/plain', buffer: Buffer.from('Herons') }
      await page.getByLabel('Attach and show here').setInputFiles(chart)
      const leadsTo = (shown: string, path: string) => {
        const link = page.locator('main').getByRole('link', { name: shown, exact: true })
        return link
          .and(page.locator(`[href$="${path}"]`))
          .first()
          .waitFor()
      }
      const looks = async () => {
        for (const shown of ['Heronry', 'the birds']) await leadsTo(shown, `${guild}/pages/${goal.short_id}`)
        await leadsTo('Roost', `${guild}/pages/${heir.short_id}`)
        // The service marks it in a text that is stored, and the console in one that is not.
        await page
          .getByText(/\[(there is no|missing attachment:) Nowhere\]/)
          .first()
          .waitFor()
        const [file] = (await call(ada, 'GET', `${guild}/attachments?page=${drawings.id}`)).items
        await leadsTo('chart.txt', `${guild}/attachments/${file?.short_id}`)
      }
      const preview = page.getByRole('region', { name: 'Preview' })
      for (const shown of ['Heronry', 'chart.txt']) await preview.getByRole('link', { name: shown }).waitFor()
      await looks()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
      await looks()
    })

    it('import pages of an archive, and undo that as a whole', async () => {
      const shelf = await call(ada, 'POST', `${guild}/pages`, { space, title: 'Shelf', text: '' })
      await go(ada, `${guild}/pages/${shelf.short_id}`)
      await ada.page.locator('summary', { hasText: 'Attach files' }).click()
      const feeding = 'Fish, as [the map](Lost.md) shows.'
      const archive = zipSync({ 'Handbook.md': strToU8('# Herons'), 'Handbook/Feeding.md': strToU8(feeding) })
      const file = { name: 'handbook.zip', mimeType: 'application/zip', buffer: Buffer.from(archive) }
      await ada.page.locator('input[type=file]').first().setInputFiles(file)
      await ada.page.getByRole('link', { name: 'handbook.zip' }).click()
      await ada.page.getByRole('button', { name: 'Import its pages' }).click()
      await ada.page.getByRole('button', { name: 'Import', exact: true }).click()
      const imports = ada.page.getByRole('region', { name: 'Imports' })
      await imports.getByText('✓ finished').waitFor()
      await imports.getByRole('button', { name: '1 line' }).click()
      const report = ada.page.getByRole('dialog', { name: 'Report of the import' })
      await report.getByText('Handbook/Feeding.md: [the map](Lost.md)').waitFor()
      await inspect(ada, 'work-imported-desktop')
      await report.getByRole('button', { name: 'Close' }).click()
      await imports.getByRole('button', { name: 'Undo' }).click()
      await imports.getByText('– undone').waitFor()
    })

    it('import pages of a folder, which is attached as one archive', async () => {
      const folder = join(await mkdtemp(join(tmpdir(), 'market-')), 'notes')
      await mkdir(join(folder, 'Birds'), { recursive: true })
      await writeFile(join(folder, 'Birds.md'), '# Birds')
      await writeFile(join(folder, 'Birds/Bitterns.md'), 'They boom.')
      await writeFile(join(folder, '.hidden.md'), 'Not this.')
      const shelf = await call(ada, 'POST', `${guild}/pages`, { space, title: 'Second shelf', text: '' })
      await go(ada, `${guild}/pages/${shelf.short_id}`)
      await ada.page.locator('summary', { hasText: 'Attach files' }).click()
      await ada.page.getByLabel('A folder').setInputFiles(folder)
      await ada.page.getByRole('link', { name: 'notes.zip' }).click()
      await ada.page.getByRole('button', { name: 'Import its pages' }).click()
      await ada.page.getByRole('button', { name: 'Import', exact: true }).click()
      await ada.page.getByRole('region', { name: 'Imports' }).getByText('✓ finished').first().waitFor()
      const titles = (await call(ada, 'GET', `${guild}/pages`)).items.map(({ title }) => title)
      expect(titles).to.include.members(['Birds', 'Bitterns']).and.not.include('.hidden')
      await rm(dirname(folder), { recursive: true })
    })

    it('read who saved a version of a page, and when, as their browsers write times', async () => {
      const begun = await call(ada, 'POST', `${guild}/pages`, { space, title: 'Log', text: 'One' })
      await call(bob, 'PATCH', `${guild}/pages/${begun.id}`, { text: 'Two' })
      await go(ada, `${guild}/pages/${begun.short_id}`)
      await ada.page.getByText('Version 2, saved by Bob').waitFor()
      await ada.page.getByRole('button', { name: 'History' }).click()
      await ada.page.getByRole('region', { name: 'Version 2' }).getByText('Saved by Bob').waitFor()

      const options = { locale: 'en-IE', timezoneId: 'Asia/Tokyo', storageState: await ada.context.storageState() }
      const context = await stack.browser.newContext(options)
      const page = await context.newPage()
      await page.goto(`${stack.sandbox.console_url}${guild}/pages/${begun.short_id}`)
      const time = page.getByRole('main').getByRole('time').first()
      const at = new Date((await time.getAttribute('datetime')) ?? '')
      const written = new Intl.DateTimeFormat('en-IE', {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: 'Asia/Tokyo',
      })
      expect(await time.textContent()).to.include(`${written.format(at)} (`)
      await context.close()
    })

    it('are told on a page of the console that there is nothing at an address', async () => {
      const { page, messages } = ada
      const answer = await page.goto(`${stack.sandbox.console_url}/nowhere`)
      expect(answer?.status()).to.equal(404)
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      await inspect(ada, 'nowhere-desktop')
      await page.getByRole('link', { name: 'Go to the home page' }).click()
      await page.getByRole('heading', { level: 1, name: 'Hello, Grace' }).waitFor()
      messages.splice(0, messages.length, ...messages.filter((one) => !/status of 404/.test(one)))
    })

    it('hand a task in, reject it with a reason, and approve it', async () => {
      const task = await call(ada, 'POST', `${guild}/tasks`, { space, title: 'Proofread' })
      const at = `${guild}/tasks/${task.short_id}`
      await go(bob, at)
      await bob.page.getByRole('button', { name: 'Claim' }).click()
      await handIn(bob, 'I read it twice.')
      await go(ada, at)
      await ada.page.getByRole('button', { name: 'Reject' }).click()
      await ada.page.getByLabel('Reason').fill('A comma is missing.')
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
      await ada.page.getByRole('dialog').waitFor({ state: 'detached' })
      await bob.page.reload()
      await bob.page.getByText('A comma is missing.').waitFor()
      await inspect(bob, 'work-task-rejected-phone')
      await handIn(bob, 'Here is the comma.')
      await ada.page.reload()
      await ada.page.getByText('Here is the comma.').waitFor()
      await ada.page.getByRole('button', { name: 'Approve' }).click()
      await ada.page.getByRole('button', { name: 'Reopen' }).waitFor()
      await inspect(ada, 'work-task-approved-desktop')
      await ada.page.getByRole('link', { name: /^Inbox, \d\+? unread$/ }).click()
      const ofTask = ada.page
        .getByRole('row')
        .filter({ has: ada.page.getByRole('link', { name: 'A task of yours was handed in' }) })
        .filter({ hasText: 'Proofread' })
      await ofTask.getByText('1 earlier').waitFor()
      await inspectInBoth(ada, 'inbox-desktop')
      await ofTask.getByRole('button', { name: /^Mark as done/ }).click()
      await ofTask.waitFor({ state: 'detached' })
      await ada.page.getByRole('button', { name: 'Mark all as done' }).click()
      await ada.page.getByRole('link', { name: 'Inbox, nothing unread' }).waitFor()
      expect(await ada.page.getByText('You’re all caught up.').count()).to.equal(1)
      await inspectInBoth(ada, 'inbox-empty-desktop')
    })

    it('plan tasks on a board, by mouse and by keys, one or several, and see each other do it', async () => {
      const { page } = ada
      const own = (await call(ada, 'POST', `${guild}/spaces`, { name: 'Workshop' })).id
      for (const title of ['Bind', 'Print', 'Write']) await call(ada, 'POST', `${guild}/tasks`, { space: own, title })
      const board = `${guild}/tasks?view=board&space=${own}`
      await goLive(bob, board)
      await go(ada, board)
      const task = (title: string) => page.getByRole('link', { name: title, exact: true })
      const column = (state: string, of = ada) => of.page.locator(`[data-column=${state}]`)
      const hasIn = (of: WatchedPage, state: string, title: string) =>
        column(state, of).getByRole('link', { name: title, exact: true }).waitFor({ timeout: LIVE_MS })
      const orderIn = (of: WatchedPage, state: string) => column(state, of).locator('[data-task]').allTextContents()

      await task('Write').dragTo(column('approved'))
      expect(await orderIn(ada, 'open'), 'what only a decision approves').to.deep.equal(['Write', 'Print', 'Bind'])
      await task('Write').dragTo(column('claimed'))
      await hasIn(ada, 'claimed', 'Write')
      await hasIn(bob, 'claimed', 'Write')

      await task('Bind').focus()
      await page.keyboard.press('Shift+ArrowUp')
      await page.getByRole('status').filter({ hasText: 'Bind: moved, open' }).waitFor({ state: 'attached' })
      expect(await orderIn(ada, 'open')).to.deep.equal(['Bind', 'Print'])
      await page.keyboard.press('Shift+ArrowLeft')
      await page
        .getByRole('status')
        .filter({ hasText: 'Bind cannot be moved to the left' })
        .waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowDown')
      await task('Print').and(page.locator(':focus')).waitFor()
      await page.keyboard.press('l')
      await page.getByLabel('New labels').fill('verse, urgent')
      await page.keyboard.press('Control+Enter')
      await column('open').getByText('urgent', { exact: true }).waitFor()
      await column('open', bob).getByText('urgent', { exact: true }).waitFor({ timeout: LIVE_MS })

      await page.getByRole('combobox', { name: 'Label', exact: true }).selectOption('verse')
      await task('Bind').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByLabel('Name').fill('Verse')
      await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
      await bob.page.getByRole('button', { name: /^Filters/ }).click()
      await bob.page.getByLabel('Saved views').selectOption('Verse')
      await bob.page.getByRole('link', { name: 'Print', exact: true }).waitFor()
      expect(await orderIn(bob, 'open')).to.deep.equal(['Print'])
      await bob.page.goBack()

      await go(ada, board)
      for (const title of ['Bind', 'Print']) await page.getByLabel(`Select ${title}`).check()
      await inspectInBoth(ada, 'work-board-desktop')
      await page.getByRole('toolbar').getByRole('button', { name: 'Assign' }).click()
      await page.getByLabel('Assignee').selectOption('Bob')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByLabel('Next step').selectOption('Archive (2 of 2)')
      await page.getByRole('status').filter({ hasText: 'Archive: 2 tasks' }).waitFor({ state: 'attached' })
      const { items } = await call(ada, 'GET', `${guild}/tasks?space=${own}&archived=true&label=verse`)
      const { urn } = await call(bob, 'GET', '/v1/me')
      expect(items.map(({ title, assignee }) => [title, assignee])).to.deep.equal([
        ['Print', `market:human:${urn.body}`],
      ])
      await column('open', bob).locator('[data-task]').first().waitFor({ state: 'detached', timeout: LIVE_MS })
      await inspect(bob, 'work-board-phone')
    })

    it('offer a task on the market, and have it done by whoever quotes', async () => {
      const { page } = ada
      const task = await call(ada, 'POST', `${guild}/tasks`, { space, title: 'Verse on a heron' })
      const at = `${guild}/tasks/${task.short_id}`
      await go(ada, at)
      await page.getByRole('button', { name: 'Offer on the market' }).click()
      await page.getByLabel('At most, in USDC').fill('20')
      await page.getByRole('button', { name: 'Offer it' }).click()
      await page.getByRole('link', { name: 'its bid' }).click()
      await page.getByText('No seller has answered yet').waitFor()
      const bid_urn = `market:bid:${new URL(page.url()).pathname.split('/').at(-1)}`
      const { seller } = await createParties(stack.sandbox)
      await marketOf(stack, seller.token).call('createQuote', { body: { bid_urn, price: '18.000000' } })
      await page.reload()
      await page.getByRole('button', { name: 'Order it…' }).click()
      await page.getByRole('button', { name: 'Place the order' }).click()
      await page.getByRole('button', { name: 'Pay…' }).click()
      await page.getByRole('button', { name: 'Connect Test Wallet' }).click()
      await page.getByRole('button', { name: 'Sign in the wallet' }).click()
      await page.locator('header').getByText('funded').waitFor({ timeout: 30_000 })
      await go(ada, at)
      await page.getByRole('link', { name: 'its order' }).waitFor()
      await inspect(ada, 'work-task-ordered-desktop')
    })

    it('decide, and decide again', async () => {
      const { page } = ada
      await go(ada, `${guild}/decisions`)
      await page.getByRole('button', { name: 'Record a decision' }).click()
      await page.getByLabel('What is decided').fill('It must rhyme')
      await page.getByRole('textbox', { name: 'Why' }).fill('Readers *like* it.')
      await page.getByRole('button', { name: 'Record', exact: true }).click()
      await page.getByRole('button', { name: 'Replace it' }).click()
      await page.getByLabel('What is decided').fill('It need not rhyme')
      await page.getByRole('button', { name: 'Record', exact: true }).click()
      await page.getByRole('link', { name: 'The one it replaces' }).click()
      await page.getByRole('link', { name: 'Replaced by another decision' }).waitFor()
      await inspect(ada, 'work-decision-replaced-desktop')
    })

    it('are asked before an agent of theirs sees a secret, unless they say otherwise', async () => {
      const { page } = ada
      const secret = await call(ada, 'POST', `${guild}/secrets`, { name: 'press-key', value: 'correct horse' })
      const owner_urn = `market:agent:${agent}`
      const token = await call(ada, 'POST', '/v1/me/tokens', { owner_urn, scopes: ['read', 'transact'] })
      const asking = marketOf(stack, token.secret)
      const params = { org: 'guild' }
      const body = { question: 'May I see the key of the press?', secret: secret.id }
      const { body: asked } = await asking.call('askConfirmation', { params, body })
      await go(ada, `${guild}/notifications`)
      await page.getByText('May I see the key of the press?').waitFor()
      await inspect(ada, 'work-question-desktop')
      await page.getByRole('button', { name: 'Yes' }).click()
      await page.getByText('May I see the key of the press?').waitFor({ state: 'detached' })
      const reveal = { params: { ...params, ref: secret.id }, body: { confirmation: asked.id } }
      expect((await asking.call('revealSecret', reveal)).body.value).to.equal('correct horse')
      await go(ada, `${guild}/secrets`)
      await page.getByRole('button', { name: 'Let them reveal without asking' }).click()
      await page.getByText('Agents reveal secrets without asking').waitFor()
    })

    it('choose how they are told, when not, and on which devices', async () => {
      const { page, context } = ada
      await context.grantPermissions(['notifications'])
      // The browser of the tests reaches no push service; what it would answer is made here.
      await page.addInitScript(SUBSCRIBING)
      await go(ada, `${guild}/notifications`)
      expect(Object.keys(PREF_KINDS)).to.have.members(Object.keys(noticeKinds))
      await page.getByLabel('A webhook was stopped: Push').uncheck()
      await page.getByLabel(/^Mute during quiet hours/).check()
      await page.getByLabel('An agent of yours asks you: In quiet hours').check()
      await page.getByLabel('Time zone').fill('Europe/Berlin')
      await page.getByText('Mute a role for a while').click()
      await page.getByLabel('As an author').selectOption('7')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      const prefs = await call(ada, 'GET', '/me/notification-prefs')
      expect(prefs.quiet_hours).to.deep.equal({ from: '22:00', until: '07:00', time_zone: 'Europe/Berlin' })
      expect(prefs.hidden_roles.map(({ role }) => role)).to.deep.equal(['author'])
      expect(prefs.kinds.find(({ kind }) => kind === 'webhook.stopped')?.channels).to.deep.equal(['in_app'])
      expect(prefs.kinds.flatMap(({ kind, in_quiet_hours }) => (in_quiet_hours ? [kind] : []))).to.deep.equal([
        'confirmation.requested',
      ])
      await page.getByRole('button', { name: 'Notify me in this browser' }).click()
      await page.getByText('By push.example.com').waitFor()
      await inspect(ada, 'work-told-desktop')
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.getByText('None yet. A browser on this list').waitFor()
    })

    it('have their address confirmed before mails go to it', async () => {
      const { page } = ada
      // This market has no mail server. What one that has it answers is made here.
      await page.route('**/v1/config/public', async (route) => {
        const response = await route.fetch()
        const config = await response.json()
        config.notifications.channels.push('email')
        await route.fulfill({ response, json: config })
      })
      const sent = { email: 'ada@example.com', expires_at: new Date().toISOString() }
      await page.route('**/me/email/confirmations', (route) => route.fulfill({ status: 202, json: sent }))
      await go(ada, `${guild}/notifications`)
      await page.getByText(/^Mails go to \S+ once you have confirmed this address/).waitFor()
      await page.getByRole('button', { name: 'Send me the link' }).click()
      await page.getByText('The mail is on its way. Its link works for a day.').waitFor()
      await inspect(ada, 'work-mail-desktop')
      await page.unrouteAll()
    })

    it('take a copy along of what they have done in the org that they were invited to', async () => {
      const { page } = bob
      await go(bob, '/account')
      await page.getByRole('button', { name: 'Request a copy' }).click()
      const downloads = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download' }).click()
      const copy = await readFile(await (await downloads).path(), 'utf8')
      for (const own of ['"guild"', 'Three, anew', 'He was here.']) expect(copy).to.include(own)
      // Grace's words, on the same page.
      expect(copy).not.to.include('Hers and more')
    })

    after(() => {
      expectQuiet(ada)
      expectQuiet(bob)
    })

    async function go(watched: WatchedPage, path: string): Promise<void> {
      await watched.page.goto(stack.sandbox.console_url + path)
    }

    /** Opens a page that follows events from then on. */
    async function goLive(watched: WatchedPage, path: string): Promise<void> {
      const following = watched.page.waitForResponse((answer) => new URL(answer.url()).pathname === '/v1/events')
      await go(watched, path)
      await following
    }

    async function handIn({ page }: WatchedPage, result: string): Promise<void> {
      await page.getByRole('button', { name: 'Hand in' }).click()
      await page.getByRole('textbox', { name: 'Result' }).fill(result)
      await page.getByRole('dialog').getByRole('button', { name: 'Hand in' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })
})

/** How wide a picture is, once the browser has it. */
async function widthOf(picture: unknown): Promise<number> {
  const image = picture as { decode: () => Promise<void>; naturalWidth: number }
  await image.decode()
  return image.naturalWidth
}

/** What the answers that are read here say. */
interface Answer {
  id: string
  parent_id: string | null
  text: string
  short_id: string
  secret: string
  urn: { body: string }
  owner_urn: object
  quiet_hours: object | null
  hidden_roles: { role: string }[]
  kinds: { kind: string; channels: string[]; in_quiet_hours: boolean }[]
  items: { title: string; short_id: string; assignee: string | null }[]
}

/** Calls the API as the person who is signed in. */
async function call({ page }: WatchedPage, method: string, path: string, body?: object): Promise<Answer> {
  return page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json', 'market-version': '2026-05-17' }
      const answer = await fetch(path, { method, headers, ...(body ? { body } : {}) })
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()) as Answer
    },
    [method, path, body ? JSON.stringify(body) : ''] as const,
  )
}
