import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { timestampText } from '../../platform/http/route/schemas.ts'
import { mailProblems } from './problems.ts'

const page = { contentType: 'text/html; charset=utf-8' }

export const getEmail = defineRoute({
  operationId: 'getEmail',
  method: 'get',
  path: '/me/email',
  group: { name: 'email', about: 'Workspace: the address that you are told at by mail.' },
  summary: 'Read your e-mail address, and whether notifications can be sent to it',
  isWorkspace: true,
  access: { scope: 'read', as: 'human' },
  answers: {
    200: {
      description: 'Mails go to it once it is confirmed.',
      schema: z.object({ email: z.string(), is_confirmed: z.boolean() }).openapi('EmailAddress'),
    },
  },
})

export const askEmailConfirmation = defineRoute({
  operationId: 'askEmailConfirmation',
  method: 'post',
  path: '/me/email/confirmations',
  summary: 'Be sent a link that confirms your e-mail address: three a day at most, of a person and to an address',
  isWorkspace: true,
  access: { scope: 'transact', as: 'human' },
  answers: {
    202: {
      description: 'The mail is sent soon.',
      schema: z.object({ email: z.string(), expires_at: timestampText }).openapi('EmailConfirmation'),
    },
  },
  problems: [mailProblems.notNeeded],
})

export const confirmEmailAddress = defineRoute({
  operationId: 'confirmEmailAddress',
  method: 'post',
  path: '/mail/confirm',
  group: { name: 'mail', about: 'Workspace: what the links in mails do.' },
  summary: 'Confirm an e-mail address by the link that was sent to it; opening the link shows a button that posts it',
  isWorkspace: true,
  access: 'public',
  ignoresBody: true,
  query: z.object({ token: token(43) }),
  answers: { 200: { description: 'A page that says that it is confirmed.', ...page } },
  problems: [groundProblems.notFound],
})

export const unsubscribeFromMail = defineRoute({
  operationId: 'unsubscribeFromMail',
  method: 'post',
  path: '/mail/unsubscribe',
  summary:
    'Turn mails off by the link in each of them, with one click (RFC 8058); opening the link shows a button that posts it',
  isWorkspace: true,
  access: 'public',
  ignoresBody: true,
  query: z.object({ token: token(64) }),
  answers: { 200: { description: 'A page that says that they are off.', ...page } },
  problems: [groundProblems.notFound],
})

export const refuseInvitations = defineRoute({
  operationId: 'refuseInvitations',
  method: 'post',
  path: '/mail/no-invitations',
  summary:
    'End all invitations to an address by the link in each of them, with one click (RFC 8058); opening the link shows a button that posts it',
  isWorkspace: true,
  access: 'public',
  ignoresBody: true,
  query: z.object({ token: token(86) }),
  answers: { 200: { description: 'A page that says that there will be none.', ...page } },
  problems: [groundProblems.notFound],
})

function token(characters: number) {
  return z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), 'must be the token of a link as it was sent')
    .openapi({ example: 'A'.repeat(characters) })
}
