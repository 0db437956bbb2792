import { readPage } from '../../platform/http/pagination.ts'
import { serve } from '../../platform/http/serve.ts'
import { toAttachment } from '../attachments/find.ts'
import { requireMember } from '../membership.ts'
import { type HitRow, searchAttachments } from './find.ts'
import { searchWorkspace } from './routes.ts'

export const workspaceSearchHandlers = [
  serve(searchWorkspace, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const bound = ['workspace search', actor.humanId, member.orgId, query.q]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) =>
      searchAttachments(tx, member, query.q, page),
    )
    return { status: 200, body: { items: rows.map(toHit), next_cursor } }
  }),
]

function toHit({ attachment, snippet, first_character: offset }: HitRow) {
  return { type: 'attachment' as const, attachment: toAttachment(attachment), snippet, offset }
}
