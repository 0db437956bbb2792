import { PATHS, type PathName, pathTo } from '../../../console/routing/paths.ts'
import { openPage, type WatchedPage } from './browser.ts'
import { enrol, type StackSite } from './console.ts'
import type { World } from './world.ts'

/** The pages that only an operator sees. */
export const OPERATORS: readonly PathName[] = [
  'operate',
  'books',
  'payouts',
  'reviews',
  'review',
  'quarantine',
  'people',
  'person',
  'keys',
  'audit',
  'adminWebhooks',
]

/** The pages that nobody has to be signed in for. */
export const STRANGERS: readonly PathName[] = ['signIn', 'enrol', 'verify']

/** The pages of a person whose agents trade and who works in an org. */
export const OWN: readonly PathName[] = (Object.keys(PATHS) as PathName[]).filter(
  (name) => !OPERATORS.includes(name) && !STRANGERS.includes(name),
)

/** Where each page is, by its name: whoever adds one says here what it shows. */
export function placesIn(world: World): Record<PathName, string> {
  const { org } = world
  const inOrg = (name: 'space' | 'page' | 'task' | 'attachment' | 'comment' | 'decision' | 'secret') =>
    pathTo(name, { org, ref: world[name] })
  return {
    home: pathTo('home'),
    signIn: pathTo('signIn'),
    enrol: pathTo('enrol'),
    invitation: `${pathTo('invitation')}#${world.invitation}`,
    orders: pathTo('orders'),
    order: pathTo('order', { id: world.order }),
    receipt: pathTo('receipt', { id: world.order }),
    market: pathTo('market'),
    ask: pathTo('ask', { id: world.ask }),
    asks: pathTo('asks'),
    bids: pathTo('bids'),
    bid: pathTo('bid', { id: world.bid }),
    agents: pathTo('agents'),
    agent: pathTo('agent', { id: world.buyer }),
    wallets: pathTo('wallets'),
    money: pathTo('money'),
    disputes: pathTo('disputes'),
    dispute: pathTo('dispute', { id: world.dispute }),
    seller: pathTo('seller', { id: world.seller }),
    webhooks: pathTo('webhooks'),
    webhook: pathTo('webhook', { id: world.webhook }),
    events: pathTo('events'),
    tradeNotifications: pathTo('tradeNotifications'),
    verify: pathTo('verify'),
    account: pathTo('account'),
    operate: pathTo('operate'),
    books: pathTo('books'),
    payouts: pathTo('payouts'),
    reviews: pathTo('reviews'),
    review: pathTo('review', { id: world.dispute }),
    quarantine: pathTo('quarantine'),
    people: pathTo('people'),
    person: pathTo('person', { id: world.person }),
    keys: pathTo('keys'),
    audit: pathTo('audit'),
    adminWebhooks: pathTo('adminWebhooks'),
    orgs: pathTo('orgs'),
    org: pathTo('org', { org }),
    space: inOrg('space'),
    pages: pathTo('pages', { org }),
    page: inOrg('page'),
    tasks: pathTo('tasks', { org }),
    task: inOrg('task'),
    attachments: pathTo('attachments', { org }),
    attachment: inOrg('attachment'),
    comment: inOrg('comment'),
    decisions: pathTo('decisions', { org }),
    decision: inOrg('decision'),
    secrets: pathTo('secrets', { org }),
    secret: inOrg('secret'),
    notifications: pathTo('notifications', { org }),
    search: `${pathTo('search', { org })}?q=verse`,
    settings: pathTo('settings', { org }),
  }
}

/** Somebody who looks at the console, and the pages that are theirs. */
export interface Visitor {
  watched: WatchedPage
  names: readonly PathName[]
}

/**
 * Returns a stranger, the person whose things are in the world, and an operator, each in a browser of their
 * own.
 */
export async function visitorsOf(site: StackSite, world: World): Promise<Visitor[]> {
  return [
    { watched: await openPage(site.browser, 'desktop'), names: STRANGERS },
    { watched: await enrol(site, 'desktop', world.link), names: OWN },
    { watched: await enrol(site, 'desktop', site.links.operator), names: OPERATORS },
  ]
}
