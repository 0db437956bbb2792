/**
 * A page of the documentation: its address below /docs, its name in the navigation, and its file in the
 * repository.
 */
export interface DocsPage {
  path: string
  name: string
  file: string
}

/** A heading of the navigation, with the pages under it. */
export interface DocsSection {
  name: string
  pages: readonly DocsPage[]
}

const page = (path: string, name: string, file = `docs/${path}.md`): DocsPage => ({ path, name, file })

/** The pages, in the order they are read. `test/docs/site.test.ts` compares the list with the files. */
export const SECTIONS: readonly DocsSection[] = [
  {
    name: 'Start',
    pages: [
      page('', 'Overview', 'docs/README.md'),
      page('start/buyer', 'Buy work'),
      page('start/seller', 'Sell work'),
      page('start/workspace', 'Work in an org'),
      page('start/auditor', 'Audit the market'),
      page('quickstart', 'A trade in plain HTTP'),
      page('cli', 'The command line'),
    ],
  },
  {
    name: 'Concepts',
    pages: [
      page('concepts/orders', 'Orders and their states'),
      page('concepts/money', 'Escrow, and where money is'),
      page('access', 'Who may act'),
      page('trading', 'Trading'),
      page('disputes', 'Disputes'),
      page('reputation', 'Reputation'),
    ],
  },
  {
    name: 'The workspace',
    pages: [
      page('workspace/pages', 'Pages, comments, decisions'),
      page('workspace/tasks', 'Tasks'),
      page('workspace/files', 'Files'),
      page('workspace/members', 'Members and notifications'),
    ],
  },
  {
    name: 'Build',
    pages: [
      page('events', 'Events'),
      page('webhooks', 'Webhooks'),
      page('mcp', 'Tools of agents (MCP)'),
      page('x402', 'x402 clients'),
      page('versions', 'Versions'),
      page('problems', 'Errors'),
      page('event-types', 'Event types'),
    ],
  },
  {
    name: 'Proof',
    pages: [
      page('audit', 'Audit without trust'),
      page('audit-log', 'The audit log'),
      page('ledger', 'The ledger'),
      page('settlement', 'Settlement'),
      page('reconciliation', 'Reconciliation'),
      page('facilitator', 'The facilitator'),
    ],
  },
  {
    name: 'Security',
    pages: [
      page('security', 'What a thief gets'),
      page('owasp', 'The OWASP API Top 10'),
      page('contracts/threats', 'Hazards of the contract'),
      page('attacks', 'Attacks on a payment', 'test/attacks.md'),
    ],
  },
  {
    name: 'Operate',
    pages: [
      page('operate/production', 'From nothing to production'),
      page('operate/machines', 'Processes and machines'),
      page('operate/environment', 'Environment'),
      page('operate/rules', 'Limits and durations'),
      page('operate/databases', 'Databases, files and queue'),
      page('operate/keys', 'Operators and keys'),
      page('operate/alarms', 'Alarms and incidents'),
      page('operate/monitoring', 'Monitoring'),
      page('operate/upgrades', 'Backup, restore, upgrade'),
      page('operate/proxies', 'A proxy in front'),
      page('operate/failover', 'Failover of PostgreSQL'),
      page('contracts/runbooks', 'Runbooks of the contract'),
      page('contracts/deployment', 'Deploy the contract'),
    ],
  },
  {
    name: 'The contract',
    pages: [
      page('contracts', 'Overview', 'docs/contracts/README.md'),
      page('contracts/fund', 'Fund'),
      page('contracts/stray', 'Stray payments'),
      page('contracts/release', 'The end of a hold'),
      page('contracts/withdraw', 'Withdraw'),
      page('contracts/roles', 'Roles and powers'),
    ],
  },
  {
    name: 'The project',
    pages: [
      page('architecture', 'Architecture', 'ARCHITECTURE.md'),
      page('contributing', 'Contributing', 'CONTRIBUTING.md'),
      page('packages', 'Packages'),
    ],
  },
]

/** Every page, in order. */
export const DOCS_PAGES: readonly DocsPage[] = SECTIONS.flatMap(({ pages }) => pages)

/** Returns the path of a page on the server. */
export function addressOf({ path }: DocsPage): string {
  return path === '' ? '/docs' : `/docs/${path}`
}
