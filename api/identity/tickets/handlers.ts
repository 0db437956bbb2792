import { serve } from '../../platform/http/serve/serve.ts'
import { toLimit } from '../tokens/spendLimit.ts'
import { exchangeTicket as exchange } from './internal/exchange.ts'
import { issueTicket as issue } from './internal/issue.ts'
import { revokeTicket as revoke } from './internal/revoke.ts'
import { exchangeTicket, issueTicket, revokeTicket } from './routes.ts'

export const ticketHandlers = [
  serve(issueTicket, async (tx, call, { params, body }) => ({
    status: 201,
    body: await issue(tx, call, params.urn, {
      scopes: body.scopes,
      expiresAt: body.token_expires_at,
      spendLimit: toLimit(body.spend_limit),
    }),
  })),

  serve(revokeTicket, async (tx, { actor }, { params }) => {
    await revoke(tx, actor, params.urn)
    return { status: 204, body: undefined }
  }),

  serve(exchangeTicket, async (tx, _call, { body }) => ({ status: 201, body: await exchange(tx, body.ticket) })),
]
