import { readFile } from 'node:fs/promises'
import { ROOT } from '../../paths.ts'

/** Where each mutant that no test can kill is named, with the reason. */
export const ARGUED_PAGE = 'docs/contracts/mutation.md'

// A list item: the mutant's key, a colon, and the reason, on this line or the next ones.
const ENTRY = /^- (\S+: `[^`]*` → `[^`]*`(?: \(\d+\))?):\s+(\S)/gm

/** Keys of the mutants that are argued to change nothing that could be tested. */
export async function readArgued(): Promise<string[]> {
  return arguedIn(await readFile(ROOT + ARGUED_PAGE, 'utf8'))
}

/** The keys in a page of arguments. An entry without a reason is none. */
export function arguedIn(page: string): string[] {
  return [...page.matchAll(ENTRY)].flatMap(([, key]) => key ?? [])
}
