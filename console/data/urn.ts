import type { UrnObject, UrnPrefix } from '../../protocol/encoding/urn.ts'

/** Returns the URN of an answer as calls take it: `market:order:0189…`. */
export function urnText({ prefix, body }: UrnObject): string {
  return `market:${prefix}:${body}`
}

/** Returns the URN of the thing that a page's address names by its id. */
export function urnOf(prefix: UrnPrefix, id: string): string {
  return urnText({ prefix, body: id })
}
