import { type ServedRoute, serve } from '../../platform/http/serve/serve.ts'
import { servePage } from '../../platform/http/serve/serveText.ts'
import { askConfirmation, confirmEmail, readEmail } from './confirm.ts'
import { donePage } from './pages.ts'
import { askEmailConfirmation, confirmEmailAddress, getEmail, unsubscribeFromMail } from './routes.ts'
import { unsubscribe } from './unsubscribe.ts'

export const mailHandlers: readonly ServedRoute[] = [
  serve(getEmail, async (tx, { actor }) => ({ status: 200, body: await readEmail(tx, actor) })),

  serve(askEmailConfirmation, async (tx, { actor, settings }) => ({
    status: 202,
    body: await askConfirmation(tx, settings, actor),
  })),

  servePage(
    confirmEmailAddress,
    (tx, settings, { query }) => confirmEmail(tx, settings, query.token),
    (context) => donePage(context, 'confirm'),
  ),

  servePage(
    unsubscribeFromMail,
    (tx, settings, { query }) => unsubscribe(tx, settings, query.token),
    (context) => donePage(context, 'unsubscribe'),
  ),
]
