import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route.ts'
import { pageQuery, text, timestampText } from '../../platform/http/schemas.ts'
import { authorText, identity, orgParam, pageOf, readsWorkspace, writesWorkspace } from '../schemas.ts'

const NAME_CHARACTERS = 100

const params = z.object({ org: orgParam })

const space = z
  .object({ ...identity, name: z.string(), created_by: authorText, created_at: timestampText })
  .openapi('Space')

export const createSpace = defineRoute({
  operationId: 'createSpace',
  method: 'post',
  path: '/orgs/{org}/spaces',
  summary: 'Open a space, which pages belong to',
  isWorkspace: true,
  access: writesWorkspace,
  params,
  body: z.object({ name: text(NAME_CHARACTERS) }),
  answers: { 201: { description: 'The space.', schema: space } },
})

export const listSpaces = defineRoute({
  operationId: 'listSpaces',
  method: 'get',
  path: '/orgs/{org}/spaces',
  summary: 'List the spaces of an org, newest first',
  isWorkspace: true,
  access: readsWorkspace,
  params,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of spaces.', schema: pageOf(space) } },
})
