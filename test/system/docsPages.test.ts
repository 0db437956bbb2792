import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Api, startApi } from '../kit/api/platform/http/api.ts'
import {
  expectAccessible,
  expectNoOverflow,
  inspect,
  keepPicture,
  missingBrowser,
  openBrowser,
  openPage,
  SIZES,
} from '../kit/console/browser.ts'

const PAGES = {
  landing: '/',
  overview: '/docs',
  orders: '/docs/concepts/orders',
  money: '/docs/concepts/money',
  errors: '/docs/problems',
  search: '/docs/search?q=escrow',
}

describe('the documentation in a browser', { skip: missingBrowser() ?? false }, () => {
  let api: Api
  let browser: Browser
  before(async () => {
    api = await startApi({ rules: { maxAnonymous: 1_000 } })
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await api.stop()
  })

  for (const [size, scheme] of [
    ['desktop', 'light'],
    ['phone', 'dark'],
  ] as const)
    it(`is read without a fault on a ${size}, ${scheme}`, async () => {
      const watched = await openPage(browser, size, scheme)
      for (const [name, path] of Object.entries(PAGES)) {
        await watched.page.goto(api.baseUrl + path)
        await watched.page.evaluate('document.fonts.ready')
        await inspect(watched, `docs-${name}-${size}-${scheme}`)
      }
      expect(watched.messages).to.deep.equal([])
      await watched.context.close()
    })

  it('finds what is written into its field', async () => {
    const { page, context, messages } = await openPage(browser, 'phone')
    await page.goto(`${api.baseUrl}/docs/versions`)
    await page.getByRole('searchbox').fill('exit codes')
    await page.getByRole('searchbox').press('Enter')
    await page.getByRole('link', { name: 'The command line: Exit codes' }).click()
    await page.waitForURL('**/docs/cli#exit-codes')
    expect(messages).to.deep.equal([])
    await context.close()
  })

  it('leads from a link into the reference at its former address to where the reference is now', async () => {
    const { page, context } = await openPage(browser, 'desktop')
    await page.goto(`${api.baseUrl}/docs#/Orders/placeOrder`)
    await page.waitForURL('**/docs/api#/Orders/placeOrder', { waitUntil: 'commit' })
    await context.close()
  })

  it('tries calls out from the address at which the reference was opened, whatever the service calls itself', async () => {
    const watched = await openPage(browser, 'desktop')
    const { page, context, messages } = watched
    expect(api.settings.baseUrl).not.to.equal(api.baseUrl)
    await page.goto(`${api.baseUrl}/docs/api`)
    const call = page.locator('#operations-service-getHealth')
    await page.locator('[data-tag="service"]').click()
    await call.locator('.opblock-summary').click()
    await call.getByRole('button', { name: 'Execute' }).click()
    await call.locator('.live-responses-table').getByText('"ok"').waitFor({ timeout: 15_000 })
    await page.locator('[data-tag="orders"]').click()
    await page.locator('#operations-orders-placeOrder .opblock-summary').click()
    await page.getByRole('textbox', { name: 'Body of the request' }).waitFor()
    await call.locator('.opblock-summary').hover()
    await keepPicture(watched, 'docs-reference')
    await expectAccessible(watched, 'the reference')
    await page.emulateMedia({ colorScheme: 'dark' })
    await keepPicture(watched, 'docs-reference-dark')
    await expectAccessible(watched, 'the reference in the dark')
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.getByRole('dialog', { name: 'Token' }).waitFor()
    await expectAccessible(watched, 'the form for a token')
    await page.getByRole('button', { name: 'Close', exact: true }).first().click()
    await page.setViewportSize(SIZES.phone.viewport)
    await expectNoOverflow(watched, 'the reference on a phone')
    expect(messages).to.deep.equal([])
    await context.close()
  })
})
