import { requireSession } from '../../identity/authentication/freshPasskey.ts'
import { serveMember } from '../serveMember.ts'
import { answerQuestion, ask, find, listConfirmationRows, toConfirmation } from './internal/confirmations.ts'
import * as routes from './routes.ts'

export const confirmationHandlers = [
  serveMember(routes.askConfirmation, async (tx, { member }, { body }) => {
    const { question, secret, expires_in_seconds: seconds } = body
    const asked = await ask(tx, member, { question, secret, seconds })
    return { status: 201, body: toConfirmation(asked) }
  }),

  serveMember(routes.listConfirmations, async (tx, { member }, { query, list }) => ({
    status: 200,
    body: await list.read((page) => listConfirmationRows(tx, member, query.state, page), toConfirmation),
  })),

  serveMember(routes.getConfirmation, async (tx, { member }, { params }) => ({
    status: 200,
    body: toConfirmation(await find(tx, member, params.id)),
  })),

  serveMember(routes.answerConfirmation, async (tx, call, { params, body }) => {
    const { actor, member } = call
    if (actor.isHuman) requireSession(call, 'Answering a question of an agent')
    return { status: 200, body: toConfirmation(await answerQuestion(tx, member, actor, params.id, body.answer)) }
  }),
]
