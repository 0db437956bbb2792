import { describe, it } from 'node:test'
import { z } from '@hono/zod-openapi'
import { expect } from 'chai'
import { servedRoutes } from '../../../api/app.ts'
import { serve } from '../../../api/platform/http/serve/serve.ts'
import { orgRoute } from '../../../api/workspace/orgRoute.ts'
import { readsWorkspace } from '../../../api/workspace/schemas.ts'

// They are in no org: what they name is the caller's own, an operator's, or as open as its link.
const OUTSIDE = /^\/(uploads|files|me|mail|quarantine)(\/|$)/

describe('the routes of an org', () => {
  it('each say who of the org may call them', () => {
    const workspace = servedRoutes.filter(({ isWorkspace, path }) => isWorkspace || path.includes('{org}'))
    const open = workspace.filter(({ caller, path }) => caller === undefined && !OUTSIDE.test(path))
    expect(open.map(({ operationId }) => operationId)).to.deep.equal([])
    expect(workspace.filter(({ caller }) => caller !== undefined)).to.have.length.above(90)
  })

  it('are not served by a frame that does not resolve their caller', () => {
    const route = orgRoute({
      operationId: 'readNothing',
      method: 'get',
      path: '/nothing',
      summary: 'Nothing',
      access: readsWorkspace,
      query: z.object({}),
      answers: { 204: { description: 'Nothing.' } },
    })
    // @ts-expect-error serve takes no route with a caller.
    serve(route, async () => ({ status: 204, body: undefined }))
    expect(route.path).to.equal('/orgs/{org}/nothing')
  })
})
