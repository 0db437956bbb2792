import { serve } from '../../platform/http/serve/serve.ts'
import { checkRegistration } from '../passkeys/register.ts'
import { signedIn } from '../passkeys/signedIn.ts'
import { offerEnrolment as offer, useEnrolment } from './internal/use.ts'
import { issueEnrolment as issue } from './issue.ts'
import { enrol, issueEnrolment, offerEnrolment } from './routes.ts'

export const enrolmentHandlers = [
  serve(issueEnrolment, async (tx, call, { params }) => ({ status: 201, body: await issue(tx, call, params.urn) })),

  serve(offerEnrolment, async (tx, { settings }, { body }) => ({
    status: 200,
    body: await offer(tx, settings, body.enrolment),
  })),

  serve(enrol, {
    prepare: (services, _call, { body }) => checkRegistration(services, { purpose: 'enrol' }, body.credential),
    run: async (tx, { settings }, { body }, registration) => {
      const session = await useEnrolment(tx, settings, body, registration)
      const answer = signedIn(settings, session)
      return { ...answer, status: 201, body: { ...answer.body, live_tokens: session.liveTokens } }
    },
  }),
]
