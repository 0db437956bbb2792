import type { CDPSession, Page } from 'playwright-core'

/** A line of 1.6 Mbit/s, 150 ms a round trip. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }

const POLL_MS = 100
const STILL_MS = 800
const LIMIT_MS = 20_000

/** What the first load of a page took. */
export interface Load {
  /** When something was first to be seen. */
  paintMs: number
  /** When the page's own heading was to be seen. */
  headingMs: number
  /** The sum of all shifts of the layout, which is at least the cumulative layout shift. */
  shift: number
  /** What moved, for whoever looks for the cause. */
  moved: readonly string[]
  /** The scripts that the page loaded by itself, by file, in bytes as they are sent. */
  scripts: ReadonlyMap<string, number>
}

// Runs in the page before anything of it. A shift of the layout is told with what moved.
const OBSERVER = `
globalThis.loading = { shift: 0, moved: [], heading: 0 }
new PerformanceObserver((list) => {
  for (const { value, sources, startTime } of list.getEntries()) {
    loading.shift += value
    for (const { node, previousRect: was, currentRect: is } of sources) {
      const element = node?.nodeType === 1 ? node : node?.parentElement
      const name = element ? element.tagName.toLowerCase() + '.' + element.className + ' ' + (element.textContent ?? '').slice(0, 30) : '?'
      loading.moved.push(Math.round(startTime) + ' ms ' + value.toFixed(4) + ' ' + name + ' ' + [was.x, was.y, '→', is.x, is.y].join(' '))
    }
  }
}).observe({ type: 'layout-shift', buffered: true })
const look = () => {
  const heading = document.querySelector('h1:not([data-loading] *)')
  if (heading?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) loading.heading = performance.now()
  else requestAnimationFrame(look)
}
requestAnimationFrame(look)`

interface InPage {
  paint: number
  heading: number
  shift: number
  moved: string[]
  scripts: [string, number][]
}

/** Makes a page one whose loads are measured, on a slow line. Returns its session. */
export async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await page.addInitScript(OBSERVER)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', LINE)
  return session
}

/**
 * Loads a page that was slowed down, with nothing in the browser's cache, and waits until nothing more comes.
 */
export async function load(page: Page, session: CDPSession, url: string): Promise<Load> {
  // A fragment alone is no load.
  await page.goto('about:blank')
  await session.send('Network.clearBrowserCache')
  await page.goto(url)
  await untilStill(page)
  const { paint, heading, shift, moved, scripts } = (await page.evaluate(`({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
    ...loading,
    scripts: performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js')).map(({ name, encodedBodySize }) => [name.split('/').at(-1), encodedBodySize]),
  })`)) as InPage
  return { paintMs: paint, headingMs: heading, shift, moved, scripts: new Map(scripts) }
}

/** Waits until a page has its heading, reads nothing and has asked for nothing for a while. */
async function untilStill(page: Page): Promise<void> {
  const end = Date.now() + LIMIT_MS
  let [count, since] = [-1, Date.now()]
  while (Date.now() - since < STILL_MS) {
    if (Date.now() > end) throw new Error(`${page.url()} is not still after ${LIMIT_MS} ms`)
    await page.waitForTimeout(POLL_MS)
    const [requests, isReady] = (await page.evaluate(`[
      performance.getEntriesByType('resource').filter(({ name }) => !name.includes('/v1/')).length,
      loading.heading > 0 && !document.querySelector('main[aria-busy=true]')]`)) as [number, boolean]
    if (requests === count && isReady) continue
    ;[count, since] = [requests, Date.now()]
  }
}
