import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { requireMember } from '../membership.ts'
import { createSpace } from './create.ts'
import { deleteSpace } from './delete.ts'
import { findSpace, listSpaceRows, toSpace } from './find.ts'
import { addSpaceMember, listSpaceMemberRows, removeSpaceMember, toSpaceMember } from './members.ts'
import * as routes from './routes.ts'
import { updateSpace } from './update.ts'

const none = { status: 204, body: undefined } as const

export const spaceHandlers = [
  serve(routes.createSpace, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 201, body: toSpace(await createSpace(tx, member, body)) }
  }),

  serve(routes.listSpaces, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const bound = ['spaces', actor.humanId, member.orgId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listSpaceRows(tx, member, page))
    return { status: 200, body: { items: rows.map(toSpace), next_cursor } }
  }),

  serve(routes.getSpace, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toSpace(await findSpace(tx, member, params.ref)) }
  }),

  serve(routes.updateSpace, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toSpace(await updateSpace(tx, member, params.ref, body)) }
  }),

  serve(routes.deleteSpace, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    await deleteSpace(tx, member, params.ref)
    return none
  }),

  serve(routes.listSpaceMembers, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const bound = ['space members', actor.humanId, member.orgId, params.ref]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) =>
      listSpaceMemberRows(tx, member, params.ref, page),
    )
    return { status: 200, body: { items: rows.map(toSpaceMember), next_cursor } }
  }),

  serve(routes.addSpaceMember, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    await addSpaceMember(tx, member, params.ref, params.human_urn)
    return none
  }),

  serve(routes.removeSpaceMember, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    await removeSpaceMember(tx, member, params.ref, params.human_urn)
    return none
  }),
]
