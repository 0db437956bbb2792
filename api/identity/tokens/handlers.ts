import { Problem } from '../../errors.ts'
import { readPage } from '../../platform/http/pagination.ts'
import { serve } from '../../platform/http/serve.ts'
import { listTokenRows, toToken } from './list.ts'
import { mintToken as mint } from './mint.ts'
import { revokeToken as revoke, revokeAllTokens as revokeAll } from './revoke.ts'
import { rotateToken as rotate } from './rotate.ts'
import { listTokens, mintToken, revokeAllTokens, revokeToken, rotateOwnToken, rotateToken } from './routes.ts'

export const tokenHandlers = [
  serve(mintToken, async (tx, call, { body }) => {
    const request = { owner: body.owner_urn, scopes: body.scopes, expiresAt: body.expires_at }
    return { status: 201, body: await mint(tx, call, request) }
  }),

  serve(listTokens, async (tx, { actor, settings }, { query }) => {
    const bound = ['tokens', actor.agentId ?? actor.humanId]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) => listTokenRows(tx, actor, page))
    return { status: 200, body: { tokens: rows.map((row) => toToken(row, actor)), next_cursor } }
  }),

  serve(rotateOwnToken, async (tx, call) => {
    if (call.actor.session)
      throw new Problem('auth/forbidden', { detail: 'A session has no token of its own to rotate.' })
    return { status: 201, body: await rotate(tx, call, call.actor.tokenId) }
  }),

  serve(rotateToken, async (tx, call, { params }) => ({ status: 201, body: await rotate(tx, call, params.urn) })),

  serve(revokeToken, async (tx, { actor }, { params }) => {
    await revoke(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),

  serve(revokeAllTokens, async (tx, { actor }) => ({ status: 200, body: { revoked: await revokeAll(tx, actor) } })),
]
