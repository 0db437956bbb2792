import { z } from '@hono/zod-openapi'
import { nameText, pageQuery, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, identity, pageOf, readsWorkspace, refSchema, writesWorkspace } from '../schemas.ts'
import { spaceProblems } from './problems.ts'

const NAME_CHARACTERS = 100

const spaceParams = z.object({ ref: refSchema('space') })
const memberParams = z.object({ ref: refSchema('space'), human_urn: urnParam('human') })
const managesSpace = { scope: 'transact', as: 'human' } as const
const visibility = z.enum(['open', 'private']).openapi({
  description: 'Who of the org sees it: everybody, or its members, besides the owners and admins of the org.',
})

const space = z
  .object({
    ...identity,
    name: z.string(),
    visibility,
    created_by: authorText,
    created_at: timestampText,
    archived_at: timestampText.nullable().openapi({ description: 'Nothing changes in an archived space.' }),
  })
  .openapi('Space')

const spaceMember = z
  .object({ human_urn: urnObject('human'), display_name: z.string(), added_at: timestampText })
  .openapi('SpaceMember')

export const createSpace = orgRoute({
  operationId: 'createSpace',
  method: 'post',
  path: '/spaces',
  group: { name: 'spaces', about: 'Workspace: parts of an org.' },
  summary: 'Open a space, which pages belong to',
  access: writesWorkspace,
  body: z.object({ name: nameText(NAME_CHARACTERS), visibility: visibility.default('open') }),
  answers: { 201: { description: 'The space.', schema: space } },
})

export const listSpaces = orgRoute({
  operationId: 'listSpaces',
  method: 'get',
  path: '/spaces',
  summary: 'List the spaces of an org that you see, newest first',
  access: readsWorkspace,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of spaces.', schema: pageOf(space) } },
})

export const getSpace = orgRoute({
  operationId: 'getSpace',
  method: 'get',
  path: '/spaces/{ref}',
  summary: 'Read a space',
  access: readsWorkspace,
  params: spaceParams,
  answers: { 200: { description: 'The space.', schema: space } },
})

export const updateSpace = orgRoute({
  operationId: 'updateSpace',
  method: 'patch',
  path: '/spaces/{ref}',
  summary: 'Rename a space, say who sees it, or archive it',
  access: managesSpace,
  params: spaceParams,
  body: z.object({
    name: nameText(NAME_CHARACTERS).optional(),
    visibility: visibility.optional(),
    archived: z.boolean().optional(),
  }),
  answers: { 200: { description: 'The space.', schema: space } },
})

export const deleteSpace = orgRoute({
  operationId: 'deleteSpace',
  method: 'delete',
  path: '/spaces/{ref}',
  summary: 'Delete a space that is empty',
  access: managesSpace,
  params: spaceParams,
  answers: { 204: { description: 'It is gone.' } },
  problems: [spaceProblems.spaceNotEmpty],
})

export const listSpaceMembers = orgRoute({
  operationId: 'listSpaceMembers',
  method: 'get',
  path: '/spaces/{ref}/members',
  summary: 'List who may see a private space',
  access: readsWorkspace,
  params: spaceParams,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of members.', schema: pageOf(spaceMember) } },
})

export const addSpaceMember = orgRoute({
  operationId: 'addSpaceMember',
  method: 'put',
  path: '/spaces/{ref}/members/{human_urn}',
  summary: 'Let a member of the org see a private space',
  access: managesSpace,
  params: memberParams,
  answers: { 204: { description: 'They see it.' } },
})

export const removeSpaceMember = orgRoute({
  operationId: 'removeSpaceMember',
  method: 'delete',
  path: '/spaces/{ref}/members/{human_urn}',
  summary: 'Take a member out of a private space, or leave it',
  access: managesSpace,
  params: memberParams,
  answers: { 204: { description: 'Removed.' } },
})
