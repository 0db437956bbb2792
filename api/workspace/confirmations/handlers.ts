import { requireSession } from '../../identity/authentication/freshPasskey.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { requireMember } from '../membership.ts'
import { answerQuestion, ask, find, toConfirmation } from './confirmations.ts'
import * as routes from './routes.ts'

export const confirmationHandlers = [
  serve(routes.askConfirmation, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    const { question, secret, expires_in_seconds: seconds } = body
    const asked = await ask(tx, member, { question, secret, seconds })
    return { status: 201, body: toConfirmation(asked) }
  }),

  serve(routes.getConfirmation, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toConfirmation(await find(tx, member, params.id)) }
  }),

  serve(routes.answerConfirmation, async (tx, call, { params, body }) => {
    const { actor } = call
    const member = await requireMember(tx, actor, params.org)
    if (actor.isHuman) requireSession(call, 'Answering a question of an agent')
    return { status: 200, body: toConfirmation(await answerQuestion(tx, member, actor, params.id, body.answer)) }
  }),
]
