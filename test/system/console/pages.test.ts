import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { load, slowDown } from '../../../bench/console/load.ts'
import { PATHS, type PathName } from '../../../console/routing/paths.ts'
import {
  expectAccessible,
  expectNoOverflow,
  inspect,
  inspectInBoth,
  keepPicture,
  missingBrowser,
  openPage,
  SIZES,
  type WatchedPage,
} from '../../kit/console/browser.ts'
import { enrol, expectQuiet, type StackSite, startSite } from '../../kit/console/console.ts'
import { addLanguage, latinTextsOn, madeUp, madeUpTexts } from '../../kit/console/language.ts'
import { OPERATORS, OWN, placesIn, STRANGERS } from '../../kit/console/places.ts'
import { createWorld, type World } from '../../kit/console/world.ts'

const SHOWN_IN_ANOTHER = ['home', 'order', 'tasks', 'settings'] as const
// What people and agents wrote, what the API says, names, ids, addresses, types, units and months: the same
// in every language.
const WRITTEN = new RegExp(
  [
    'Forty-two lines of|on any subject|with a heron|in each of them|verse on any subject|A heron|a heron|a rhyme|On time, and it rhymes',
    'A line is missing|It rhymes|Next issue|The press|A human|An agent|Proofread|Passkey|verse\\.md|printer|Verse|verse|Prose|Plan|Seen|press|line|feet|code',
    'There is a verdict on an order of yours|Delivery 1 .* that it may read',
    'Market|USDC|URN|SDK|curl|SHA|UTC|AH|AA|TP|rules@|log|cost_usdc',
    'market:[a-z]+:[0-9a-f-]+|0x[0-9A-Fa-f]+|[0-9a-f]{6}…[0-9a-f]{6}|[0-9a-f-]{36,}|https?:\\S+|\\S+@\\S+|[a-z]+/[a-z]+|[a-z]+\\.[a-z]+',
    '\\d(?:B|kB|MB|GB)|(?:sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru) 2\\d{3}|dni!?|dzień|[kG]B',
  ].join('|'),
  'g',
)
const NARROW = { width: 320, height: 700 }

// In a deep run also in the dark, and at 320 pixels.
describe('every page of the console', { skip: missingBrowser() ?? false, timeout: 240_000 }, () => {
  let site: StackSite
  let world: World
  let places: Record<PathName, string>
  let person: WatchedPage
  const seen = new Set<string>()
  before(async () => {
    site = await startSite()
    world = await createWorld(site)
    places = placesIn(world)
  })
  after(() => site?.stop())

  it('tells of the limit on requests, as every answer does', async () => {
    const { headers } = await fetch(site.sandbox.console_url)
    expect(headers.get('ratelimit-limit')).to.match(/^\d+$/)
  })

  it('is readable for strangers', async () => {
    await look(await openPage(site.browser, 'desktop'), STRANGERS)
  })

  it('is readable for a person whose agents trade and who works in an org', async () => {
    person = await enrol(site, 'desktop', world.link)
    await look(person, OWN)
  })

  it('is led to by ten entries at most, in groups that unfold, and on a phone by a bar', async () => {
    const { page } = person
    await page.setViewportSize({ width: 768, height: 900 })
    // A page without an entry of its own belongs to the group of its kind.
    await page.goto(`${site.sandbox.console_url}${places.org}`)
    const column = page.getByRole('navigation', { name: 'Pages', exact: true })
    const bar = page.getByRole('navigation', { name: 'Main pages' })
    await column.getByRole('link', { name: 'Tasks' }).waitFor()
    expect(await column.getByRole('listitem').count()).to.be.within(1, 10)
    expect(await bar.isVisible(), 'a bar at 768 pixels').to.equal(false)
    expect(await column.getByRole('link', { name: 'Orders' }).isVisible()).to.equal(false)
    await column.getByRole('button', { name: 'Trade' }).click()
    await page.reload()
    await column.getByRole('link', { name: 'Orders' }).waitFor()
    await column.getByRole('button', { name: 'Trade' }).click()

    await page.setViewportSize(SIZES.phone.viewport)
    expect(await column.isVisible(), 'a column on a phone').to.equal(false)
    await bar.getByRole('button', { name: 'More' }).click()
    await inspectInBoth(person, 'navigation-phone')
    expect(await page.locator('#page').getAttribute('inert')).to.equal('')
    await page.keyboard.press('Escape')
    await column.waitFor({ state: 'hidden' })
    expect(await page.locator('#page').getAttribute('inert')).to.equal(null)
  })

  it('has an outline before any script, and on a slow line appears as a whole', async () => {
    const { page } = person
    const url = `${site.sandbox.console_url}${places.order}`
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto(url)
    await page.getByText('Market', { exact: true }).filter({ visible: true }).waitFor()
    await page.unroute('**/assets/*.js')
    const { shift, moved } = await load(page, await slowDown(page), url)
    expect(shift, `what moved: ${moved.join(', ')}`).to.be.below(0.05)
  })

  // In a deep run on all of their pages. What people and the service wrote stays as it is.
  it('has nothing in English for a reader of another language, and its plurals and numbers', async () => {
    const { page } = person
    await page.setViewportSize(SIZES.desktop.viewport)
    const days = '{days, plural, one {# day} other {# days}}'
    const texts = { ...madeUpTexts(), [days]: '{days, plural, one {# dzień} few {# dni} other {# dni!}}' }
    const remove = await addLanguage(page, 'pl', texts)
    await page.evaluate(() => localStorage.setItem('language', 'pl'))
    const found: string[] = []
    for (const name of process.env.MARKET_TEST_DEEP ? OWN : SHOWN_IN_ANOTHER) {
      await page.goto(`${site.sandbox.console_url}${places[name]}`)
      await page.locator('h1').first().waitFor()
      await page.locator('main:not([aria-busy=true])').waitFor()
      const latin = (await latinTextsOn(page)).filter((text) => /[A-Za-z]{2}/.test(text.replaceAll(WRITTEN, '')))
      found.push(...latin.map((text) => `${name}: ${text}`))
    }
    expect(found).to.deep.equal([])
    expect(await page.locator('html').getAttribute('lang')).to.equal('pl')
    await page.goto(`${site.sandbox.console_url}${places.settings}`)
    await page.getByText('30 dni!').waitFor()
    await page.getByText('21,5 GB').waitFor()
    await page.getByRole('combobox', { name: madeUp('Language') }).selectOption('')
    await page.getByRole('button', { name: 'Rename' }).waitFor()
    await remove()
  })

  it('is readable for an operator', async () => {
    await look(await enrol(site, 'desktop', site.links.operator), OPERATORS)
  })

  it('has been looked at', () => {
    expect([...seen]).to.have.members(Object.keys(PATHS))
  })

  async function look(watched: WatchedPage, names: readonly PathName[]): Promise<void> {
    const { page } = watched
    // Colours that are still changing are none that anybody reads.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const faults: string[] = []
    for (const name of names) {
      await inspectPage(watched, name).catch((error: Error) => faults.push(error.message))
      seen.add(name)
    }
    expect(faults).to.deep.equal([])
    expectQuiet(watched)
  }

  async function inspectPage(watched: WatchedPage, name: PathName): Promise<void> {
    const { page } = watched
    await page.setViewportSize(SIZES.desktop.viewport)
    await page.goto(`${site.sandbox.console_url}${places[name]}`)
    await page.locator('h1').first().waitFor()
    await page.locator('main:not([aria-busy=true])').waitFor()
    expect(await page.getByRole('alert').allTextContents(), `what ${name} reports`).to.deep.equal([])
    await inspect(watched, `${name}-desktop`)
    if (process.env.MARKET_TEST_DEEP) await inspectInTheDark(watched, name)
    await page.setViewportSize(SIZES.phone.viewport)
    await inspect(watched, `${name}-phone`)
    if (!process.env.MARKET_TEST_DEEP) return
    await page.setViewportSize(NARROW)
    await keepPicture(watched, `${name}-narrow`)
    await expectNoOverflow(watched, `${name} at ${NARROW.width} pixels`)
  }

  async function inspectInTheDark(watched: WatchedPage, name: PathName): Promise<void> {
    await watched.page.emulateMedia({ colorScheme: 'dark' })
    await keepPicture(watched, `${name}-desktop-dark`)
    await expectAccessible(watched, `${name} in the dark`, 'colours')
    await watched.page.emulateMedia({ colorScheme: 'light' })
  }
})
