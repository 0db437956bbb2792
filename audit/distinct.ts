import { canonicalJson } from '../protocol/canonical.ts'

/** Each of some documents once, however often it was given: files that were saved at two times have the same ones. */
export function distinct<Item extends object>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [canonicalJson(item), item])).values()]
}
