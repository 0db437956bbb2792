import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { notify } from '../notifications/notify.ts'
import { codeIn } from './code.ts'
import type { PageRow } from './find.ts'
import { pageNotices } from './module.ts'

/** The versions of a page that are looked at for a mention that an edit brings back. */
const MOST_VERSIONS = 20
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
 * Returns those of some accounts that the text of a page mentions more often than each of its last
 * versions: an edit can bring back a mention that an earlier one removed.
 */
async function withoutFormer(
  tx: Tx,
  accounts: readonly string[],
  { id, text }: Pick<PageRow, 'id' | 'text'>,
): Promise<string[]> {
  if (accounts.length === 0) return []
  const former = await tx
    .selectFrom('market.page_versions')
    .select('text')
    .where('page_id', '=', id)
    .orderBy('number', 'desc')
    // The newest is the text itself.
    .offset(1)
    .limit(MOST_VERSIONS)
    .execute()
  const counts = mentionsIn(text)
  const before = former.map((version) => mentionsIn(version.text))
  return accounts.filter((account) => before.every((had) => (counts.get(account) ?? 0) > (had.get(account) ?? 0)))
}

/**
 * Notifies the accounts that a text on a page mentions and mentioned less often before, if they see the page.
 * `isPage` says that the text is that of the page, whose last versions count too.
 */
export async function tellMentioned(
  tx: Tx,
  by: Member,
  { id, short_id, space_id: spaceId }: PageRow,
  { text, before, isPage = false }: { text: string; before: string; isPage?: boolean },
): Promise<void> {
  const fresh = newlyMentioned(text, before)
  const recipients = isPage ? await withoutFormer(tx, fresh, { id, text }) : fresh
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
