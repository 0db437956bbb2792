import { readFile, writeFile } from 'node:fs/promises'

const SNAPSHOT = new URL('../../test/contracts/gas.snapshot.json', import.meta.url)

/** The figures that were written down. */
export async function readSnapshot(): Promise<Record<string, number>> {
  return JSON.parse(await readFile(SNAPSHOT, 'utf8'))
}

/** Writes figures down, for the next change to be compared with. */
export async function writeSnapshot(figures: Record<string, number>): Promise<void> {
  await writeFile(SNAPSHOT, `${JSON.stringify(figures, null, 2)}\n`)
}

/** What differs, a line each: `name: before → now (+difference)`. None when all is as it was written down. */
export function differences(before: Record<string, number>, now: Record<string, number>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].flatMap((name) => {
    const [was, is] = [before[name], now[name]]
    if (was === is) return []
    const by = was === undefined || is === undefined ? '' : ` (${is > was ? '+' : ''}${is - was})`
    return [`${name}: ${was ?? 'not measured'} → ${is ?? 'not measured'}${by}`]
  })
}
