import { refuseInvitations } from '../../identity/orgs/answerInvitation.ts'
import { type ServedRoute, serve } from '../../platform/http/serve/serve.ts'
import { servePage } from '../../platform/http/serve/serveText.ts'
import { askConfirmation, confirmEmail, readEmail } from './internal/confirm.ts'
import { unsubscribe } from './internal/unsubscribe.ts'
import { donePage } from './pages.ts'
import * as routes from './routes.ts'

export const mailHandlers: readonly ServedRoute[] = [
  serve(routes.getEmail, async (tx, { actor }) => ({ status: 200, body: await readEmail(tx, actor) })),

  serve(routes.askEmailConfirmation, async (tx, { actor, settings }) => ({
    status: 202,
    body: await askConfirmation(tx, settings, actor),
  })),

  servePage(
    routes.confirmEmailAddress,
    (tx, settings, { query }) => confirmEmail(tx, settings, query.token),
    (context) => donePage(context, 'confirm'),
  ),

  servePage(
    routes.unsubscribeFromMail,
    (tx, settings, { query }) => unsubscribe(tx, settings, query.token),
    (context) => donePage(context, 'unsubscribe'),
  ),

  servePage(
    routes.refuseInvitations,
    (tx, settings, { query }) => refuseInvitations(tx, settings, query.token),
    (context) => donePage(context, 'no-invitations'),
  ),
]
