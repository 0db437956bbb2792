import { readPage } from '../../platform/http/pagination.ts'
import { serve } from '../../platform/http/serve.ts'
import { requireMember } from '../membership.ts'
import { createSpace } from './create.ts'
import { listSpaceRows, toSpace } from './find.ts'
import * as routes from './routes.ts'

export const spaceHandlers = [
  serve(routes.createSpace, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 201, body: toSpace(await createSpace(tx, member, body)) }
  }),

  serve(routes.listSpaces, async (tx, { actor, settings }, { params, query }) => {
    const { orgId } = await requireMember(tx, actor, params.org)
    const bound = ['spaces', actor.humanId, orgId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listSpaceRows(tx, orgId, page))
    return { status: 200, body: { items: rows.map(toSpace), next_cursor } }
  }),
]
