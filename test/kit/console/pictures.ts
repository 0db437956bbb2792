import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { PathName } from '../../../console/routing/paths.ts'

const WIDTHS = { 1440: 900, 768: 1024, 390: 844 } as const
const THEMES = ['light', 'dark'] as const

/** Writes pictures of a page, at each width and in each theme, as `<name>-<width>-<theme>.png`. */
export async function takePictures(page: Page, url: string, name: PathName, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width: Number(width), height })
    await page.goto('about:blank')
    await page.goto(url)
    await page.locator('h1').first().waitFor()
    await page.locator('main:not([aria-busy=true])').waitFor()
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme })
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`), fullPage: true })
    }
  }
}
