import { docsPage } from '../../platform/docs/layout.ts'
import { POLICY } from '../../platform/docs/pages.ts'
import type { Mounted } from '../../platform/http/listen/mount.ts'
import type { RequestContext } from '../../platform/http/serve/services.ts'

const TITLES = {
  confirm: 'Confirm your e-mail address',
  unsubscribe: 'No more mails',
  'no-invitations': 'No more invitations',
}
const QUESTIONS = {
  confirm: 'Notifications that you ask for are then sent to it.',
  unsubscribe: 'Notifications are then sent to your e-mail address no more. You still find them in the console.',
  'no-invitations': 'No org can then invite you by mail any more, and the invitations that you got so far end.',
}
const BUTTONS = { confirm: 'Confirm', unsubscribe: 'Turn mails off', 'no-invitations': 'No more invitations' }
const DONE = {
  confirm: 'Your e-mail address is confirmed.',
  unsubscribe: 'You get no more mails. Confirm your e-mail address again to get them.',
  'no-invitations': 'You get no more invitations by mail.',
}

/** The action of a link in a mail. */
type MailAction = keyof typeof TITLES

/**
 * The pages that links in mails open. They change nothing, because mail scanners open links too: a button
 * posts to the same address. The token is not in the page.
 */
export const mailPages: readonly Mounted[] = (['confirm', 'unsubscribe', 'no-invitations'] as const).map((action) => ({
  method: 'get',
  path: `/mail/${action}`,
  respond: (context) =>
    page(
      context,
      action,
      `<p>${QUESTIONS[action]}</p><form method="post"><button type="submit">${BUTTONS[action]}</button></form>`,
    ),
}))

/** Returns the page that says that the action is done. */
export function donePage(context: RequestContext, action: MailAction): Response {
  return page(context, action, `<p>${DONE[action]}</p>`)
}

function page(context: RequestContext, action: MailAction, html: string): Response {
  const title = TITLES[action]
  return context.body(docsPage({ title, html: `<h1>${title}</h1>\n${html}` }), 200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    // The address of the page has the token.
    'referrer-policy': 'no-referrer',
  })
}
