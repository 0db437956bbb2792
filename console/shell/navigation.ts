import { pathTo } from '../routing/paths.ts'

/** A link of the navigation. */
export interface Entry {
  title: string
  href: string
}

/** A group of them, which folds. What has no title stands above the groups. */
export interface Group {
  title: string | undefined
  entries: readonly Entry[]
}

const TOP: Group = { title: undefined, entries: [{ title: 'Home', href: pathTo('home') }] }

const TRADE: Group = {
  title: 'Trade',
  entries: [
    { title: 'Orders', href: pathTo('orders') },
    { title: 'Market', href: pathTo('market') },
    { title: 'My asks', href: pathTo('asks') },
    { title: 'Bids', href: pathTo('bids') },
    { title: 'Disputes', href: pathTo('disputes') },
    { title: 'Money', href: pathTo('money') },
  ],
}

const SETUP: Group = {
  title: 'Set up',
  entries: [
    { title: 'Agents', href: pathTo('agents') },
    { title: 'Wallets', href: pathTo('wallets') },
    { title: 'Webhooks', href: pathTo('webhooks') },
    { title: 'Events', href: pathTo('events') },
    { title: 'Account', href: pathTo('account') },
  ],
}

const OPERATE: Group = {
  title: 'Operate',
  entries: [
    { title: 'Status', href: pathTo('operate') },
    { title: 'Books', href: pathTo('books') },
    { title: 'Payouts', href: pathTo('payouts') },
    { title: 'Reviews', href: pathTo('reviews') },
    { title: 'Quarantine', href: pathTo('quarantine') },
    { title: 'People', href: pathTo('people') },
  ],
}

const SYSTEM: Group = {
  title: 'System',
  entries: [
    { title: 'All webhooks', href: pathTo('adminWebhooks') },
    { title: 'Keys', href: pathTo('keys') },
    { title: 'Audit log', href: pathTo('audit') },
  ],
}

// Entries whose addresses stand above those of others.
const ABOVE_OTHERS = ['/', '/operate', '/orgs']

/** Whether a path is that of an entry, or of something below it. */
export function isHere({ href }: Entry, path: string): boolean {
  return href === path || (!ABOVE_OTHERS.includes(href) && path.startsWith(`${href}/`))
}

/** Returns the title of the group that a path belongs to: the one with its entry, or with others of the same kind. */
export function groupOf(groups: readonly Group[], path: string): string {
  const holding = (belongs: (entry: Entry) => boolean) => groups.find(({ entries }) => entries.some(belongs))?.title
  const [, kind] = path.split('/')
  return holding((entry) => isHere(entry, path)) ?? holding(({ href }) => href.split('/')[1] === kind) ?? 'Trade'
}

/**
 * Returns the navigation of a person: what they may see, and the org that they look at. Of its groups one is open unless the person
 * opens more: with that, at most ten entries are shown.
 */
export function navigationOf({ isOperator, org }: { isOperator: boolean; org: string | undefined }): Group[] {
  const work = org
    ? [
        { title: 'Pages', href: pathTo('pages', { org }) },
        { title: 'Tasks', href: pathTo('tasks', { org }) },
        { title: 'Files', href: pathTo('attachments', { org }) },
        { title: 'Decisions', href: pathTo('decisions', { org }) },
        { title: 'Secrets', href: pathTo('secrets', { org }) },
        { title: 'Notifications', href: pathTo('notifications', { org }) },
        { title: 'Search', href: pathTo('search', { org }) },
        { title: 'Settings', href: pathTo('settings', { org }) },
      ]
    : []
  return [
    TOP,
    TRADE,
    { title: 'Work', entries: [...work, { title: 'Orgs', href: pathTo('orgs') }] },
    SETUP,
    ...(isOperator ? [OPERATE, SYSTEM] : []),
  ]
}
