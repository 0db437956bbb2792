import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { missingBrowser } from '../../test/kit/console/browser.ts'
import { startSite } from '../../test/kit/console/console.ts'
import { placesIn, visitorsOf } from '../../test/kit/console/places.ts'
import { createWorld } from '../../test/kit/console/world.ts'

const WIDTHS = { 1440: 900, 768: 1024, 390: 844 } as const
const THEMES = ['light', 'dark'] as const

/**
 * Writes pictures of every page of the console that has something to show, at each width and in each theme,
 * into a folder that is emptied first: `<page>-<width>-<theme>.png`. Returns how many they are. Throws if
 * this machine has no browser.
 */
export async function takePictures(folder: string): Promise<number> {
  const missing = missingBrowser()
  if (missing) throw new Error(missing)
  const site = await startSite()
  try {
    const world = await createWorld(site)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    let count = 0
    for (const { watched, names } of await visitorsOf(site, world)) {
      for (const name of names) {
        const url = `${site.sandbox.console_url}${placesIn(world)[name]}`
        count += await takePicturesOf(watched.page, url, join(folder, name))
      }
    }
    return count
  } finally {
    await site.stop()
  }
}

async function takePicturesOf(page: Page, url: string, file: string): Promise<number> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width: Number(width), height })
    // A fragment alone is no load.
    await page.goto('about:blank')
    await page.goto(url)
    await page.locator('h1').first().waitFor()
    await page.locator('main:not([aria-busy=true])').waitFor()
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${file}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  return Object.keys(WIDTHS).length * THEMES.length
}
