import { pathTo } from '../../routing/paths.ts'
import { type Message, msg } from '../../texts/texts.ts'

/** A link of the navigation. */
export interface Entry {
  title: Message
  href: string
}

/** A group of them, which folds. What has no title stands above the groups. */
export interface Group {
  title: Message | undefined
  entries: readonly Entry[]
}

const TOP: Group = { title: undefined, entries: [{ title: msg('Home'), href: pathTo('home') }] }

const TRADE_TITLE = msg('Trade')
/** The group of what an org works on. */
export const WORK_TITLE = msg('Work')

const TRADE: Group = {
  title: TRADE_TITLE,
  entries: [
    { title: msg('Orders'), href: pathTo('orders') },
    { title: msg('Market'), href: pathTo('market') },
    { title: msg('My asks'), href: pathTo('asks') },
    { title: msg('Bids'), href: pathTo('bids') },
    { title: msg('Disputes'), href: pathTo('disputes') },
    { title: msg('Money'), href: pathTo('money') },
  ],
}

const SETUP: Group = {
  title: msg('Set up'),
  entries: [
    { title: msg('Agents'), href: pathTo('agents') },
    { title: msg('Wallets'), href: pathTo('wallets') },
    { title: msg('Webhooks'), href: pathTo('webhooks') },
    { title: msg('Events'), href: pathTo('events') },
    { title: msg('Account'), href: pathTo('account') },
  ],
}

const OPERATE: Group = {
  title: msg('Operate'),
  entries: [
    { title: msg('Status'), href: pathTo('operate') },
    { title: msg('Books'), href: pathTo('books') },
    { title: msg('Payouts'), href: pathTo('payouts') },
    { title: msg('Reviews'), href: pathTo('reviews') },
    { title: msg('Quarantine'), href: pathTo('quarantine') },
    { title: msg('People'), href: pathTo('people') },
  ],
}

const SYSTEM: Group = {
  title: msg('System'),
  entries: [
    { title: msg('All webhooks'), href: pathTo('adminWebhooks') },
    { title: msg('Keys'), href: pathTo('keys') },
    { title: msg('Audit log'), href: pathTo('audit') },
  ],
}

// Entries whose addresses stand above those of others.
const ABOVE_OTHERS = ['/', '/operate', '/orgs']

/** Whether a path is that of an entry, or of something below it. */
export function isHere({ href }: Entry, path: string): boolean {
  return href === path || (!ABOVE_OTHERS.includes(href) && path.startsWith(`${href}/`))
}

/**
 * Returns the title of the group that a path belongs to: the one with its entry, or with others of the same
 * kind.
 */
export function groupOf(groups: readonly Group[], path: string): Message {
  const holding = (belongs: (entry: Entry) => boolean) => groups.find(({ entries }) => entries.some(belongs))?.title
  const [, kind] = path.split('/')
  return holding((entry) => isHere(entry, path)) ?? holding(({ href }) => href.split('/')[1] === kind) ?? TRADE_TITLE
}

/**
 * Returns the navigation of a person: what they may see, and the org that they look at. Of its groups one is
 * open unless the person opens more: with that, at most ten entries are shown.
 */
export function navigationOf({ isOperator, org }: { isOperator: boolean; org: string | undefined }): Group[] {
  const work = org
    ? [
        { title: msg('Pages'), href: pathTo('pages', { org }) },
        { title: msg('Tasks'), href: pathTo('tasks', { org }) },
        { title: msg('Files'), href: pathTo('attachments', { org }) },
        { title: msg('Decisions'), href: pathTo('decisions', { org }) },
        { title: msg('Secrets'), href: pathTo('secrets', { org }) },
        { title: msg('Notifications'), href: pathTo('notifications', { org }) },
        { title: msg('Search'), href: pathTo('search', { org }) },
        { title: msg('Settings'), href: pathTo('settings', { org }) },
      ]
    : []
  return [
    TOP,
    TRADE,
    { title: WORK_TITLE, entries: [...work, { title: msg('Orgs'), href: pathTo('orgs') }] },
    SETUP,
    ...(isOperator ? [OPERATE, SYSTEM] : []),
  ]
}
