import { groundProblems, Problem } from '../../errors.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { revokeToken as revoke, revokeAllTokens as revokeAll } from './internal/revoke.ts'
import { rotateToken as rotate } from './internal/rotate.ts'
import { setSpendLimit as setLimit } from './internal/setSpendLimit.ts'
import { listTokenRows, toToken } from './list.ts'
import { mintToken as mint } from './mint.ts'
import {
  getSpending,
  listTokens,
  mintToken,
  revokeAllTokens,
  revokeToken,
  rotateOwnToken,
  rotateToken,
  setSpendLimit,
} from './routes.ts'
import { readSpending, toLimit, toSpending } from './spendLimit.ts'

export const tokenHandlers = [
  serve(mintToken, async (tx, call, { body }) => {
    const { owner_urn: owner, scopes, expires_at: expiresAt } = body
    const request = { owner, scopes, expiresAt, spendLimit: toLimit(body.spend_limit) }
    return { status: 201, body: await mint(tx, call, request) }
  }),

  serve(listTokens, async (tx, { actor }, { list }) => {
    const { items: tokens, next_cursor } = await list.read(
      (page) => listTokenRows(tx, actor, page),
      (row) => toToken(row, actor),
    )
    return { status: 200, body: { tokens, next_cursor } }
  }),

  serve(getSpending, async (tx, { actor }) => {
    if (actor.session)
      throw new Problem(groundProblems.forbidden, { detail: 'A session has no spend limit. Call with a token.' })
    return { status: 200, body: toSpending(await readSpending(tx, actor.tokenId)) }
  }),

  serve(setSpendLimit, async (tx, call, { params, body }) => ({
    status: 200,
    body: toSpending(await setLimit(tx, call, params.urn, toLimit(body))),
  })),

  serve(rotateOwnToken, async (tx, call) => {
    if (call.actor.session)
      throw new Problem(groundProblems.forbidden, { detail: 'A session has no token of its own to rotate.' })
    return { status: 201, body: await rotate(tx, call, call.actor.tokenId) }
  }),

  serve(rotateToken, async (tx, call, { params }) => ({ status: 201, body: await rotate(tx, call, params.urn) })),

  serve(revokeToken, async (tx, { actor }, { params }) => {
    await revoke(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),

  serve(revokeAllTokens, async (tx, { actor }) => ({ status: 200, body: { revoked: await revokeAll(tx, actor) } })),
]
