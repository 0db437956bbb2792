import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { PATHS, type PathName } from '../../../console/routing/paths.ts'
import { load, slowDown } from '../../bench/console/load.ts'
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
import { OPERATORS, OWN, placesIn, STRANGERS } from '../../kit/console/places.ts'
import { createWorld, type World } from '../../kit/console/world.ts'

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
