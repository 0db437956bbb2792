import { canonicalJson } from '../protocol/encoding/canonical.ts'

/** Returns each document once, however often it was given: files saved at two times overlap. */
export function distinct<Item extends object>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [canonicalJson(item), item])).values()]
}
