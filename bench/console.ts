import { glob, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildConsole } from '../cli/stack/console.ts'
import type { PathName } from '../console/routing/paths.ts'
import { SIZES } from '../test/kit/console/browser.ts'
import { type StackSite, startSite } from '../test/kit/console/console.ts'
import { placesIn, type Visitor, visitorsOf } from '../test/kit/console/places.ts'
import { createWorld } from '../test/kit/console/world.ts'
import { type Load, load, slowDown } from './console/load.ts'
import { type BenchRow, figure, judged } from './rows.ts'

const MOST_PAINT_MS = 1_000
const MOST_SHIFT = 0.05
const MOST_SCRIPT_KB = 170
const MOST_CHUNK_KB = 110
/** Smaller chunks are not worth a line. */
const LISTED_CHUNK_KB = 10
const BYTES_A_KB = 1_000

/**
 * The first load of every page of the console with an empty cache, on a line of 1.6 Mbit/s and 150 ms a round
 * trip: when something is first seen, how much moves afterwards (the larger of a desktop and of a phone), and
 * how many scripts it takes. Then the chunks.
 */
export async function bench(): Promise<BenchRow[]> {
  const site = await startSite()
  try {
    const world = await createWorld(site)
    const rows: BenchRow[] = []
    for (const visitor of await visitorsOf(site, world)) rows.push(...(await visit(site, visitor, placesIn(world))))
    return [...rows, ...(await chunks())]
  } finally {
    await site.stop()
  }
}

async function visit(
  { sandbox }: StackSite,
  { watched: { page }, names }: Visitor,
  places: Readonly<Record<PathName, string>>,
): Promise<BenchRow[]> {
  const session = await slowDown(page)
  const rows: BenchRow[] = []
  for (const name of names) {
    const loads: Load[] = []
    for (const { viewport } of Object.values(SIZES)) {
      await page.setViewportSize(viewport)
      loads.push(await load(page, session, `${sandbox.console_url}${places[name]}`))
    }
    rows.push(...rowsOf(name, loads))
  }
  return rows
}

function rowsOf(name: string, loads: readonly Load[]): BenchRow[] {
  const most = (of: (load: Load) => number) => Math.max(...loads.map(of))
  return [
    atMost(figure(`${name}: first paint`, Math.round(most(({ paintMs }) => paintMs)), 'ms'), MOST_PAINT_MS),
    figure(`${name}: its heading`, Math.round(most(({ headingMs }) => headingMs)), 'ms'),
    atMost(
      figure(
        `${name}: layout shift`,
        most(({ shift }) => shift),
        '',
      ),
      MOST_SHIFT,
    ),
    atMost(figure(`${name}: scripts`, most(scriptKb), 'kB'), MOST_SCRIPT_KB),
  ]
}

function scriptKb({ scripts }: Load): number {
  return [...scripts.values()].reduce((total, bytes) => total + bytes, 0) / BYTES_A_KB
}

/** The scripts of the build, as they are sent, the largest first. */
async function chunks(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for await (const file of glob(join(await buildConsole(), 'assets/*.js.gz'))) {
    const kb = (await stat(file)).size / BYTES_A_KB
    if (kb >= LISTED_CHUNK_KB) rows.push(atMost(figure(`chunk ${basename(file, '.js.gz')}`, kb, 'kB'), MOST_CHUNK_KB))
  }
  return rows.sort((one, other) => other.ours - one.ours)
}

function atMost(row: BenchRow, most: number): BenchRow {
  return judged(row, `≤ ${most}`, row.ours <= most)
}
