/** What the operations are grouped by, in the order of the reference. */
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
  search: 'Finding asks.',
  bids: 'What buyers want done.',
  quotes: 'What sellers answer to bids.',
  orders: 'From placement to payment to acceptance.',
  threads: 'What the parties of an order say.',
  messages: 'What is posted there, proposals and notices of delivery among it.',
  deliveries: 'The files that are delivered.',
  receipts: 'What an order came to, signed.',
  payouts: 'Money on its way out of custody.',
  'payout-stops': 'Operators: what keeps payouts from going out.',
  'audit-log': 'What happened, hash-chained.',
  keys: 'What our signatures are verified with.',
  public: 'What anybody may see.',
  sandbox: 'Test money and time; not in production.',
  service: 'The service itself.',
}

/** The group an operation is in, by its path. */
export function tagOf(path: string): string {
  const [first = '', second = ''] = path.split('/').filter((part) => part !== '' && part !== 'v1')
  if (first === 'me') return second in TAGS ? second : 'accounts'
  return first in TAGS ? first : 'service'
}

/** The groups that these operations are in, as the document lists them. */
export function tagsOf(paths: readonly string[]): { name: string; description: string }[] {
  const used = new Set(paths.map(tagOf))
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
