import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { pageQuery, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'

const session = z
  .object({
    urn: urnObject('session'),
    passkey_urn: urnObject('passkey'),
    created_at: timestampText.openapi({ description: 'When its passkey was asked for.' }),
    seen_at: timestampText.openapi({ description: 'When it was last used, to the minute.' }),
    expires_at: timestampText,
    is_current: z.boolean().openapi({ description: 'Whether it is the one of this call.' }),
  })
  .openapi('Session')

export const listSessions = defineRoute({
  operationId: 'listSessions',
  method: 'get',
  path: '/v1/me/sessions',
  group: { name: 'sessions', about: 'Where a human is signed in.' },
  summary: 'List where you are signed in, newest first',
  access: { scope: 'read', as: 'human' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of live sessions.',
      schema: z.object({ sessions: z.array(session), next_cursor: z.string().nullable() }),
    },
  },
})

export const revokeSession = defineRoute({
  operationId: 'revokeSession',
  method: 'post',
  path: '/v1/me/sessions/{urn}/revoke',
  summary: 'End a session, at once',
  access: { scope: 'manage', as: 'human' },
  params: z.object({ urn: urnParam('session') }),
  answers: { 204: { description: 'It is over.' } },
})

export const logOut = defineRoute({
  operationId: 'logOut',
  method: 'post',
  path: '/v1/me/sessions/log_out',
  summary: 'End the session of this call',
  access: { scope: 'none', as: 'human' },
  answers: { 204: { description: 'It is over.', headers: { 'Set-Cookie': 'Takes the cookie away.' } } },
})
