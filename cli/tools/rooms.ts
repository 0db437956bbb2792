/** A folder of a room: what other folders of rooms may import, and what only the lists and processes beside the rooms may. */
export interface Folder {
  /** Names of files that other folders build on. */
  offers?: string
  /** Names of files that `app.ts`, `jobs.ts`, `reactions.ts`, a process or a command puts to work, besides its `handlers` and `routes`. */
  entries?: string
}

export type Room = keyof typeof ROOMS

// The folders of each room from the bottom up: a folder imports those above it in this list, and never one below.
// A file at the top of a room is offered to all of it.
const ROOMS = {
  platform: {
    db: {
      offers:
        'clock migrate pool schema schema/accounts schema/disputes schema/notifications schema/orders schema/orgs schema/personalData schema/receipts schema/reconciliation schema/workspace searchPath transaction',
      entries: 'indexDatabase refuseOwner roles',
    },
    jobs: { offers: 'due each services', entries: 'runner session wakeups' },
    facts: { offers: 'announce' },
    blobs: { offers: 'copyOut open partial store', entries: 'removeBlobs' },
    files: { offers: 'signatures' },
    children: { offers: 'sandbox' },
    zip: { offers: 'archive zip' },
    signing: { offers: 'keys seal secretValues' },
    metrics: { offers: 'gauges', entries: 'serve' },
    'http/route': { offers: 'pagination present route schemas', entries: 'catalogue versions' },
    'http/serve': {
      offers:
        'body form idempotency input json limits problem receive serve servePage serveProtocol serveText services',
      entries: 'accept purgeAnswers purgeWindows',
    },
    'http/files': { offers: 'contentDisposition fileAnswers serveFile' },
    'http/streams': { offers: 'serveStream stream subprotocol' },
    'http/listen': { offers: 'methods mount', entries: 'addresses listen' },
    'http/openapi': { offers: 'openapi', entries: 'documentation' },
    audit: { offers: 'audit head', entries: 'check seal' },
    events: { offers: 'catalogue emit facts log payloads subjects visibility workspaceTypes', entries: 'purge' },
    health: { entries: 'recordBeat' },
    webhooks: {
      offers: 'change create deliveries facts family find owner post remove rotate routes secret target testEvent',
      entries: 'disable pump purgeDeliveries',
    },
    docs: { offers: 'layout pages' },
    keyRotation: { entries: 'administer' },
  },
  identity: {
    'facts.ts': {},
    authentication: { offers: 'credential freshPasskey', entries: 'authenticate findEnded origin' },
    accounts: { offers: 'activeAgent actor caps closeTickets createHuman lockHuman routes' },
    wallets: { offers: 'doubtfulWallets lockPayoutWallets payoutWallet provenWallet wallets' },
    keys: { offers: 'find routes' },
    sessions: { offers: 'open', entries: 'purgeCredentials' },
    tokens: { offers: 'issue mint spendLimit spendLimitSchemas spending' },
    tickets: {},
    passkeys: { offers: 'challenges options register routes signedIn' },
    enrolments: { offers: 'issue' },
    orgs: {},
    exports: { entries: 'jobs' },
    erasure: {},
    setup: { entries: 'appoint bootstrap firstEnrolments' },
  },
  payments: {
    chain: {
      offers:
        'claims decode evidence head indexRows intents nodes payments progress settleProgress tokenDomain unpaid verify',
      entries: 'client refuseIndexOwner',
    },
    ledger: {
      offers: 'accountKinds appealFees asset balanceAsOf balances contract custody loss post reserve',
      entries: 'snapshotBalances',
    },
    stops: { offers: 'explain list stop', entries: 'administer' },
    payouts: { offers: 'account fail open states transition', entries: 'submitPending unblock' },
    escrow: {
      offers:
        'approvals authorizations custody deposits facts fund funding holds openHold payable payerAttribution queries release terms unmatchedPayments',
    },
    appealFees: { offers: 'authorizations decide facts find offer receive' },
    reserve: { offers: 'record sweep', entries: 'watchHotWallet' },
    settlement: {
      offers: 'checkpoints parkedPayments recheck',
      entries: 'endAuthorizations outcomes refundUnmatched settle',
    },
    reconciliation: { entries: 'reconcile' },
    liabilities: { entries: 'publish' },
  },
  trading: {
    terms: { offers: 'amount windows' },
    criteria: { offers: 'read request results schema wire', entries: 'jobs measure run' },
    reputation: { offers: 'buyers record schemas', entries: 'weighting' },
    asks: { offers: 'find limits routes wire' },
    bids: { offers: 'close create find routes take', entries: 'end' },
    'orders/record': {
      offers:
        'amendments baseline eventPayload find fundable guards labels queries readers reasons schemas states suspend transition x402',
      entries: 'facts',
    },
    'orders/routes.ts': {},
    'orders/work': { offers: 'accept cancel changeSla deadlines deliver reject start', entries: 'close' },
    'orders/placement': {},
    'orders/payment': {
      offers: 'claim fileAuthorization payer paymentChecks present presented',
      entries: 'confirmFunding expireUnpaid failFunding',
    },
    'orders/handlers.ts': {},
    deliveries: {
      offers: 'attach find link notify recordNotice routes storeUpload wire',
      entries: 'sweepBlobs textOfUpload',
    },
    threads: { offers: 'insert seal wire', entries: 'facts' },
    disputes: {
      entries:
        'appeals askModels close deadlines disputeFacts end evidence/handlers facts grounds lapse model/case model/decide overdue remedy reviews/handlers reviews/jobs rules screener/screen texts',
    },
    ratings: {},
    receipts: { entries: 'finalize' },
    search: { offers: 'correct deadline query' },
    timeline: {},
    ticker: {},
  },
  workspace: {
    'membership.ts': {},
    'record.ts': {},
    'schemas.ts': {},
    'shortId.ts': {},
    'readers.ts': {},
    'entityUrl.ts': {},
    mails: { offers: 'confirm deliver links', entries: 'pages sendConfirmations' },
    notifications: { offers: 'notify', entries: 'channels purge pushKeys send' },
    webhooks: { offers: 'tellStopped', entries: 'family' },
    agents: {},
    members: { entries: 'announce' },
    spaces: { offers: 'find' },
    pages: { offers: 'code create find limits references seen tree write', entries: 'purge' },
    attachments: {
      offers: 'attach find names quarantine routes storage store textEncoding update versions',
      entries: 'purge',
    },
    tasks: { offers: 'find', entries: 'follow lapse leases' },
    comments: {},
    decisions: {},
    secrets: { offers: 'find' },
    confirmations: {},
    processing: { entries: 'process' },
    scanning: { entries: 'scan' },
    serving: {},
    uploads: { entries: 'expire' },
    imports: { entries: 'run' },
    search: {},
  },
} as const satisfies Record<string, Readonly<Record<string, Folder>>>

/** The rooms of the api: the order of their folders and the door of each. */
export const rooms: Readonly<Record<Room, Readonly<Record<string, Folder>>>> = ROOMS
