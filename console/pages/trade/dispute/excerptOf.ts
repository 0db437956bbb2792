import type { PageItem } from '../../../../sdk/market.ts'

/** Returns the beginning of a message, on one line. */
export function excerptOf({ kind, body, sealed }: PageItem<'listMessages'>): string {
  if (sealed) return 'a sealed message'
  const words = body?.replaceAll(/\s+/g, ' ').slice(0, 80)
  return `${kind.replaceAll('_', ' ')}${words ? `: “${words}”` : ''}`
}
