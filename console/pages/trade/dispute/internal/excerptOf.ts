import type { PageItem } from '../../../../../sdk/market.ts'
import { t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'

/** Returns the beginning of a message, on one line. */
export function excerptOf({ kind, body, sealed }: PageItem<'listMessages'>): string {
  if (sealed) return t('a sealed message')
  const words = body?.replaceAll(/\s+/g, ' ').slice(0, 80)
  return words ? t('{kind}: “{text}”', { kind: word(kind), text: words }) : word(kind)
}
