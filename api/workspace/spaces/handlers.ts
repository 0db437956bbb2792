import { readPage } from '../../platform/http/route/pagination.ts'
import { serveMember } from '../serveMember.ts'
import { createSpace } from './create.ts'
import { deleteSpace } from './delete.ts'
import { findSpace, listSpaceRows, toSpace } from './find.ts'
import { addSpaceMember, listSpaceMemberRows, removeSpaceMember, toSpaceMember } from './members.ts'
import * as routes from './routes.ts'
import { updateSpace } from './update.ts'

const none = { status: 204, body: undefined } as const

export const spaceHandlers = [
  serveMember(routes.createSpace, async (tx, { member }, { body }) => ({
    status: 201,
    body: toSpace(await createSpace(tx, member, body)),
  })),

  serveMember(routes.listSpaces, async (tx, { actor, member, settings }, { query }) => {
    const bound = ['spaces', actor.humanId, member.orgId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listSpaceRows(tx, member, page))
    return { status: 200, body: { items: rows.map(toSpace), next_cursor } }
  }),

  serveMember(routes.getSpace, async (tx, { member }, { params }) => ({
    status: 200,
    body: toSpace(await findSpace(tx, member, params.ref)),
  })),

  serveMember(routes.updateSpace, async (tx, { member }, { params, body }) => ({
    status: 200,
    body: toSpace(await updateSpace(tx, member, params.ref, body)),
  })),

  serveMember(routes.deleteSpace, async (tx, { member }, { params }) => {
    await deleteSpace(tx, member, params.ref)
    return none
  }),

  serveMember(routes.listSpaceMembers, async (tx, { actor, member, settings }, { params, query }) => {
    const bound = ['space members', actor.humanId, member.orgId, params.ref]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) =>
      listSpaceMemberRows(tx, member, params.ref, page),
    )
    return { status: 200, body: { items: rows.map(toSpaceMember), next_cursor } }
  }),

  serveMember(routes.addSpaceMember, async (tx, { member }, { params }) => {
    await addSpaceMember(tx, member, params.ref, params.human_urn)
    return none
  }),

  serveMember(routes.removeSpaceMember, async (tx, { member }, { params }) => {
    await removeSpaceMember(tx, member, params.ref, params.human_urn)
    return none
  }),
]
