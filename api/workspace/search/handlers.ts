import { entityPath } from '../schemas.ts'
import { serveMember } from '../serveMember.ts'
import { findSpace } from '../spaces/find.ts'
import type { HitRow } from './internal/find.ts'
import { formatPosition, parsePosition } from './internal/position.ts'
import { searchOrg } from './internal/search.ts'
import { searchWorkspace } from './routes.ts'

// The version of the cursor's content: a cursor of an earlier format is refused and not misread.
const FORMAT = '3'

export const workspaceSearchHandlers = [
  serveMember(searchWorkspace, async (tx, { member, settings }, { params, query, list }) => {
    const { q: text, type, limit } = query
    const spaceId = query.space === undefined ? undefined : (await findSpace(tx, member, query.space)).id
    const cursors = list.within(FORMAT)
    const cursor = cursors.position()
    const from = cursor === undefined ? undefined : parsePosition(cursor)
    const { hits, next, corrected } = await searchOrg(tx, member, { text, type, spaceId }, { from, limit })
    const next_cursor = next && cursors.cursorTo(formatPosition(next))
    const toHit = hitOf(settings.baseUrl, params.org)
    return { status: 200, body: { items: hits.map(toHit), next_cursor, corrected_query: corrected } }
  }),
]

function hitOf(baseUrl: string, slug: string) {
  return (row: HitRow) => {
    const { type, id, short_id, title, space_id, page_id, task_id, snippet, created_by } = row
    return {
      ...{ type, id, short_id, title, url: baseUrl + entityPath(slug, row), space_id, page_id, task_id },
      ...{ snippet, offset: row.first_character, created_by, created_at: row.created_at.toISOString() },
    }
  }
}
