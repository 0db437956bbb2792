import { readFile } from 'node:fs/promises'
import { ROOT } from '../../../../machine/paths.ts'

/** The page that lists each mutant that no test can kill, with the reason. */
export const ARGUED_PAGE = 'cli/tools/tests/mutation/README.md'

// A list item: the mutant's key, a colon, and the reason, on this line or the next ones.
const ENTRY = /^- (\S+: `[^`]*` → `[^`]*`(?: \(\d+\))?):\s+(\S)/gm

/** Returns the keys of the mutants argued to change nothing testable. */
export async function readArgued(): Promise<string[]> {
  return arguedIn(await readFile(ROOT + ARGUED_PAGE, 'utf8'))
}

/** Returns the keys in a page of arguments. An entry without a reason does not count. */
export function arguedIn(page: string): string[] {
  return [...page.matchAll(ENTRY)].flatMap(([, key]) => key ?? [])
}
