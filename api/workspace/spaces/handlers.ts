import { serveMember } from '../serveMember.ts'
import { findSpace, listSpaceRows, toSpace } from './find.ts'
import { createSpace } from './internal/create.ts'
import { deleteSpace } from './internal/delete.ts'
import { addSpaceMember, listSpaceMemberRows, removeSpaceMember, toSpaceMember } from './internal/members.ts'
import { updateSpace } from './internal/update.ts'
import * as routes from './routes.ts'

const none = { status: 204, body: undefined } as const

export const spaceHandlers = [
  serveMember(routes.createSpace, async (tx, { member }, { body }) => ({
    status: 201,
    body: toSpace(await createSpace(tx, member, body)),
  })),

  serveMember(routes.listSpaces, async (tx, { member }, { list }) => ({
    status: 200,
    body: await list.read((page) => listSpaceRows(tx, member, page), toSpace),
  })),

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

  serveMember(routes.listSpaceMembers, async (tx, { member }, { params, list }) => ({
    status: 200,
    body: await list.read((page) => listSpaceMemberRows(tx, member, params.ref, page), toSpaceMember),
  })),

  serveMember(routes.addSpaceMember, async (tx, { member }, { params }) => {
    await addSpaceMember(tx, member, params.ref, params.human_urn)
    return none
  }),

  serveMember(routes.removeSpaceMember, async (tx, { member }, { params }) => {
    await removeSpaceMember(tx, member, params.ref, params.human_urn)
    return none
  }),
]
