/**
 * The module of a sub-command. `run` returns the exit code, undefined for 0; it throws an error whose message
 * is for the user.
 */
interface CommandModule {
  run: (args: string[]) => Promise<number | undefined>
}

export interface Command {
  summary: string
  /**
   * Set for a command that takes only these flags and refuses other arguments. `about` is the rest of its
   * `--help`.
   */
  plain?: { about: string; flags?: readonly string[] }
  /** Whether it needs what only the repository has: a folder of `package server` lacks it. */
  inRepository?: boolean
  /** Whether all its processes end when it ends, for whatever reason. */
  inGroup?: boolean
  load: () => Promise<CommandModule>
}

const BY_ENVIRONMENT = {
  about: 'Its environment tells it what to do: docs/operate/environment.md. SIGTERM or Ctrl-C ends it.',
}
const ON_DATABASES = { about: 'Reads DATABASE_URL and INDEX_DATABASE_URL, of the databases’ owners.' }
const ON_DATABASE = { about: "Reads DATABASE_URL, of the database's owner." }

/** The sub-commands of ./market. A command's module is loaded only when it is used. */
export const commands: Record<string, Command> = {
  up: { inRepository: true, summary: 'run the whole sandbox, everything set up', load: () => import('./user/up.ts') },
  demo: {
    inRepository: true,
    summary: 'real trades, two of them disputed, then an audit',
    load: () => import('./user/demo.ts'),
  },
  test: {
    inRepository: true,
    summary: 'run the tests, all or those of one area',
    inGroup: true,
    load: () => import('./tools/test.ts'),
  },
  check: {
    inRepository: true,
    summary: 'check form, types, unused code and generated files',
    plain: { about: 'Exits 1 where something is wrong. CONTRIBUTING.md tells more.' },
    inGroup: true,
    load: () => import('./tools/check.ts'),
  },
  asks: { summary: 'search work on offer', load: () => import('./user/asks.ts') },
  order: { summary: 'list your orders, show one, or place and pay one', load: () => import('./user/order.ts') },
  deliver: { summary: 'check your work, and deliver it', load: () => import('./user/deliver.ts') },
  wallet: { summary: 'list your wallets, or prove that one is yours', load: () => import('./user/wallet.ts') },
  withdraw: { summary: 'take what the escrow owes a wallet out to it', load: () => import('./user/withdraw.ts') },
  reclaim: { summary: 'take the money of an expired hold back', load: () => import('./user/reclaim.ts') },
  verify: { summary: 'check receipts, verdicts and the audit log, offline', load: () => import('./user/verify.ts') },
  audit: { summary: 'prove settlement from chain data', load: () => import('./user/audit.ts') },
  screenshots: {
    inRepository: true,
    summary: 'write a picture of every page of the console',
    plain: { about: 'At 1440, 768 and 390 pixels, light and dark. Prints their folder. They are to be looked at.' },
    inGroup: true,
    load: () => import('./tools/screenshots.ts'),
  },
  bench: { inRepository: true, summary: 'measure', load: () => import('./tools/bench.ts') },
  'evaluate-arbitrator': {
    inRepository: true,
    summary: 'score who decides disputes by labelled ones',
    load: () => import('./tools/evaluateArbitrator.ts'),
  },
  'evaluate-screener': {
    inRepository: true,
    summary: 'score by labelled sides what flags hostile text in disputes',
    load: () => import('./tools/evaluateScreener.ts'),
  },
  doctor: { summary: 'say what is wrong in the environment of a process', load: () => import('./doctor/doctor.ts') },
  node: { summary: 'run a program with Node 24, wherever it is', load: () => import('./user/node.ts') },
  migrate: {
    summary: 'bring the databases up to date',
    plain: {
      about: `The processes of the former version may go on. Once none of them runs, --contract removes what only they used. ${ON_DATABASES.about}`,
      flags: ['--contract'],
    },
    load: () => import('./stack/migrate.ts'),
  },
  restored: {
    summary: 'after a restore of the database: end what it would let be used again',
    plain: {
      about: `Ends all sessions, tokens, tickets and enrolments, and has owners confirm their payout wallets. ${ON_DATABASE.about}`,
    },
    load: () => import('./stack/restored.ts'),
  },
  release: {
    inRepository: true,
    summary: 'record a release: its commit, its schema and a database of it',
    load: () => import('./tools/release.ts'),
  },
  version: { summary: 'say which release this is', load: () => import('./user/version.ts') },
  deploy: { inRepository: true, summary: 'deploy the contracts', load: () => import('./stack/deploy.ts') },
  generate: {
    inRepository: true,
    summary: 'rewrite the ABIs, the catalogues, the dump of the schema and the types of the SDK',
    plain: { about: '--check writes nothing, and exits 1 where something is stale.', flags: ['--check'] },
    load: () => import('./tools/generate.ts'),
  },
  api: { summary: 'run the API', plain: BY_ENVIRONMENT, load: () => import('./stack/api.ts') },
  console: {
    summary: 'build the console for the API to serve',
    plain: { about: 'Prints its folder: the CONSOLE_DIR of the API.' },
    load: () => import('./stack/console.ts'),
  },
  package: {
    inRepository: true,
    summary: 'build the SDK as an npm package, or the folder that servers run',
    load: () => import('./tools/package.ts'),
  },
  worker: { summary: 'run the worker', plain: BY_ENVIRONMENT, load: () => import('./stack/worker.ts') },
  mcp: {
    summary: 'offer the market to an agent as tools (Model Context Protocol)',
    load: () => import('./user/mcp.ts'),
  },
  indexer: { summary: 'run the indexer', plain: BY_ENVIRONMENT, load: () => import('./stack/indexer.ts') },
  keystore: { summary: 'encrypt a key of the facilitator', load: () => import('./stack/keystore.ts') },
  keys: { summary: 'show or rotate the keys that the service signs with', load: () => import('./stack/keys.ts') },
  operators: { summary: 'make a human an operator, or a reviewer', load: () => import('./stack/operators.ts') },
  stops: { summary: 'show, add or lift what keeps money from leaving', load: () => import('./stack/stops.ts') },
  wallets: { summary: 'reject a payout wallet that is not its owner’s', load: () => import('./stack/wallets.ts') },
  'facilitator-file': {
    summary: 'count or remove rows of the facilitator’s tables that no key of it signed',
    load: () => import('./stack/facilitatorFile.ts'),
  },
  facilitator: { summary: 'run the facilitator', plain: BY_ENVIRONMENT, load: () => import('./stack/facilitator.ts') },
}
