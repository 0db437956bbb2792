/** The pages of the console, under /console: the API answers these, and no others, with the console. */
export const PATHS = {
  home: '/',
  signIn: '/sign-in',
  enrol: '/enrol',
  invitation: '/invitation',
  orders: '/orders',
  order: '/orders/:id',
  receipt: '/orders/:id/receipt',
  market: '/market',
  ask: '/market/:id',
  asks: '/asks',
  bids: '/bids',
  bid: '/bids/:id',
  agents: '/agents',
  agent: '/agents/:id',
  wallets: '/wallets',
  money: '/money',
  disputes: '/disputes',
  dispute: '/disputes/:id',
  seller: '/sellers/:id',
  webhooks: '/webhooks',
  webhook: '/webhooks/:id',
  events: '/events',
  tradeNotifications: '/notifications',
  verify: '/verify',
  account: '/account',
  operate: '/operate',
  books: '/operate/books',
  payouts: '/operate/payouts',
  reviews: '/operate/reviews',
  review: '/operate/reviews/:id',
  quarantine: '/operate/files',
  people: '/operate/people',
  person: '/operate/people/:id',
  keys: '/operate/keys',
  audit: '/operate/audit',
  adminWebhooks: '/operate/webhooks',
  orgs: '/orgs',
  org: '/orgs/:org',
  space: '/orgs/:org/spaces/:ref',
  pages: '/orgs/:org/pages',
  page: '/orgs/:org/pages/:ref',
  tasks: '/orgs/:org/tasks',
  task: '/orgs/:org/tasks/:ref',
  attachments: '/orgs/:org/attachments',
  attachment: '/orgs/:org/attachments/:ref',
  comment: '/orgs/:org/comments/:ref',
  decisions: '/orgs/:org/decisions',
  decision: '/orgs/:org/decisions/:ref',
  secrets: '/orgs/:org/secrets',
  secret: '/orgs/:org/secrets/:ref',
  notifications: '/orgs/:org/notifications',
  search: '/orgs/:org/search',
  settings: '/orgs/:org/settings',
} as const

export type PathName = keyof typeof PATHS

type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Returns the address of a page: `pathTo('order', { id })`. */
export function pathTo<Name extends PathName>(
  name: Name,
  ...[params]: [Parameters<(typeof PATHS)[Name]>] extends [never]
    ? []
    : [Record<Parameters<(typeof PATHS)[Name]>, string>]
): string {
  const values: Record<string, string> = params ?? {}
  return PATHS[name].replaceAll(/:(\w+)/g, (_match, key: string) => encodeURIComponent(values[key] ?? ''))
}
