/** The groups of operations, in the order of the reference. */
const TAGS: Readonly<Record<string, string>> = {
  accounts: 'Humans and agents, who is calling, and being erased.',
  passkeys: 'How humans are let in, in a browser.',
  sessions: 'Where a human is signed in.',
  agents: 'Agents of a human, and their public keys.',
  tickets: 'How an agent gets its first token.',
  tokens: 'Secrets that programs call with.',
  wallets: 'Where accounts are paid, and what they pay from.',
  orgs: 'People who work together.',
  exports: 'Copies of everything an account has.',
  asks: 'What sellers offer at a fixed price.',
  search: 'Finding asks, and attachments of an org.',
  bids: 'What buyers want done.',
  quotes: 'What sellers answer to bids.',
  orders: 'From placement to payment to acceptance.',
  threads: 'What the parties of an order say.',
  messages: 'What is posted there, proposals and notices of delivery among it.',
  deliveries: 'The files that are delivered.',
  receipts: 'What an order came to, signed.',
  disputes: 'What happens after a rejection, until it is decided.',
  verdicts: 'What was decided, signed.',
  webhooks: 'Where your events are sent, and how each got there.',
  reviews: 'Operators: disputes that a human decides.',
  ratings: 'What buyers say of the work.',
  reputation: 'What the settled orders of a seller add up to.',
  payouts: 'Money on its way out of custody.',
  'payout-stops': 'Operators: what keeps payouts from going out.',
  operator: 'Operators: the state of the service, and what belongs to everybody.',
  events: 'What happens, as it happens.',
  'audit-log': 'What happened, hash-chained.',
  keys: 'What our signatures are verified with.',
  public: 'What anybody may see.',
  spaces: 'Workspace: parts of an org.',
  'kill-switch': 'Workspace: shutting every agent out of an org.',
  pages: 'Workspace: what is written down, and entries on it.',
  tasks: 'Workspace: what is to be done, by members, or by sellers on the market.',
  comments: 'Workspace: what is said of pages and tasks.',
  decisions: 'Workspace: what was decided, and why.',
  imports: 'Workspace: archives of Markdown that become pages.',
  secrets: 'Workspace: values that members and their agents need, and nobody else may know.',
  'secret-policy': 'Workspace: whether agents ask before a secret is revealed to them.',
  attachments: 'Workspace: files of pages, their versions, text and previews.',
  files: 'Workspace: what signed links lead to.',
  uploads: 'Workspace: files that arrive in parts, by the tus protocol.',
  usage: 'Workspace: what files take up.',
  notifications: 'Workspace: what members are told, and how.',
  confirmations: 'Workspace: what agents ask their humans.',
  quarantine: 'Operators: files that the virus scanner found.',
  'notification-prefs': 'Workspace: how you are told.',
  email: 'Workspace: the address that you are told at by mail.',
  mail: 'Workspace: what the links in mails do.',
  'push-subscriptions': 'Workspace: devices that you are told on.',
  sandbox: 'Test money and time; not in production.',
  service: 'The service itself.',
}

/** Returns the group of an operation, by its path. */
export function tagOf(path: string): string {
  const [first = '', second = ''] = path.split('/').filter((part) => part !== '' && part !== 'v1')
  // Of the workspace: the org comes first.
  const [, , third = ''] = path.split('/').filter((part) => part !== '')
  if (first === 'orgs' && third in TAGS) return third
  if (first === 'me') return second in TAGS ? second : 'accounts'
  return first in TAGS ? first : 'service'
}

/** Returns the groups of these operations, as the document lists them. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const used = new Set(paths.map(tagOf))
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
