import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { notify } from '../notifications/notify.ts'
import { codeIn } from './code.ts'
import type { PageRow } from './find.ts'
import { pageNotices } from './module.ts'

const MENTION = /@market:(?:human|agent):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g

/**
 * Returns the ids of the accounts that a text mentions, by their URN behind an @, more often than a former
 * text did. Code mentions nobody.
 */
export function newlyMentioned(text: string, before: string): string[] {
  const former = mentionsIn(before)
  return [...mentionsIn(text)].flatMap(([id, count]) => (count > (former.get(id) ?? 0) ? id : []))
}

/**
 * Notifies the accounts that a text on a page mentions and mentioned less often before, if they see the page.
 */
export async function tellMentioned(
  tx: Tx,
  by: Member,
  { id, short_id, space_id: spaceId }: PageRow,
  { text, before }: { text: string; before: string },
): Promise<void> {
  const recipients = newlyMentioned(text, before)
  const entity = { type: 'page', id, short_id }
  await notify(tx, { kind: pageNotices['page.mentioned'], orgId: by.orgId, by, recipients, entity, spaceId })
}

function mentionsIn(text: string): Map<string, number> {
  const found = [...text.matchAll(MENTION)]
  const counts = new Map<string, number>()
  if (found.length === 0) return counts
  const code = codeIn(text)
  let next = 0
  for (const { index, 1: id = '' } of found) {
    while (next < code.length && (code[next]?.to ?? 0) <= index) next++
    if ((code[next]?.from ?? text.length) > index) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}
