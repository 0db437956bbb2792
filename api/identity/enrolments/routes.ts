import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { text, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'
import { offerSignUp, registerPasskey, signUp } from '../passkeys/routes.ts'
import { ticketProblems } from '../tickets/problems.ts'
import { enrolmentProblems } from './problems.ts'

const ENROLMENT_CHARACTERS = 200

const enrolment = text(ENROLMENT_CHARACTERS)

export const issueEnrolment = defineRoute({
  operationId: 'issueEnrolment',
  method: 'post',
  path: '/v1/accounts/humans/{urn}/enrolments',
  summary:
    'Let a human whom no passkey lets in make one: operators for anybody but operators, others for whom they created and nobody let in yet',
  access: { scope: 'manage', as: 'human', reAuth: true },
  params: z.object({ urn: urnParam('human') }),
  answers: {
    201: {
      description:
        'Give the enrolment to the human. It is shown this once, good once, for rules.ticket_seconds, and takes the place of an earlier one.',
      isSecret: true,
      schema: z
        .object({
          urn: urnObject('enrolment'),
          human_urn: urnObject('human'),
          enrolment: z.string(),
          expires_at: timestampText,
        })
        .openapi('Enrolment'),
    },
  },
  problems: [groundProblems.notFound, groundProblems.forbidden, enrolmentProblems.notNeeded],
})

export const offerEnrolment = defineRoute({
  operationId: 'offerEnrolment',
  method: 'post',
  path: '/v1/me/passkeys/enrolment/options',
  summary: 'Begin to make a passkey by an enrolment',
  access: 'public',
  credentialMember: 'enrolment',
  body: z.object({ enrolment }),
  answers: offerSignUp.answers,
  problems: [ticketProblems.ticketInvalid],
})

export const enrol = defineRoute({
  operationId: 'enrol',
  method: 'post',
  path: '/v1/me/passkeys/enrolment/verify',
  summary:
    'Use an enrolment up for the passkey that was made: ends every session, ticket and pending change of a payout wallet there was, and begins a session',
  access: 'public',
  credentialMember: 'enrolment',
  beginsSession: true,
  body: registerPasskey.body.extend({ enrolment }),
  answers: {
    201: {
      ...signUp.answers[201],
      description: 'The passkey is the human’s, who is signed in.',
      schema: signUp.answers[201].schema.extend({
        live_tokens: z.int().openapi({
          description:
            'How many tokens of theirs and of their agents are good still: revoke those they do not know (GET /v1/me/tokens).',
        }),
      }),
    },
  },
  problems: [...signUp.problems, ticketProblems.ticketInvalid],
})
