import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { notify } from '../notifications/notify.ts'
import { codeIn } from '../pages/code.ts'
import { commentNotices } from './declaration.ts'
import type { CommentRow } from './find.ts'

const MENTION = /@market:(?:human|agent):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g

/**
 * Notifies the accounts that a comment mentions, by their URN behind an @, and did not mention before: members of the org and
 * their agents who see the space that the comment is in.
 */
export async function tellMentioned(tx: Tx, by: Member, comment: CommentRow, before: string): Promise<void> {
  const former = mentionedIn(before)
  const ids = mentionedIn(comment.text).filter((id) => !former.includes(id))
  if (ids.length === 0) return
  const { id, short_id, org_id: orgId, space_id: spaceId } = comment
  const recipients = await readersAmong(tx, spaceId, ids)
  const entity = { type: 'comment', id, short_id }
  await notify(tx, { kind: commentNotices['comment.mentioned'], orgId, by, recipients, entity, spaceId })
}

/** Returns the ids of the accounts that a text mentions. Code mentions nobody. */
function mentionedIn(text: string): string[] {
  const code = codeIn(text)
  const found = [...text.matchAll(MENTION)].filter(
    ({ index }) => !code.some(({ from, to }) => from <= index && index < to),
  )
  return [...new Set(found.flatMap(([, id]) => id ?? []))]
}

async function readersAmong(tx: Tx, spaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${ids}::uuid[]) asked(id)
    left join market.agents agent on agent.id = asked.id
    join market.spaces space on space.id = ${spaceId}
    join market.org_members member
      on member.org_id = space.org_id and member.human_id = coalesce(agent.owner_id, asked.id)
    where space.visibility = 'open' or member.role <> 'member' or exists (
      select from market.space_members own where own.space_id = space.id and own.human_id = member.human_id)`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}
