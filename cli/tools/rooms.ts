/**
 * A folder of a room: the files that other folders may import, and those that only files outside the rooms
 * may import.
 */
export interface Folder {
  /** Names of files that other folders build on. */
  offers?: string
  /**
   * Names of files that `app.ts`, `jobs.ts`, `reactions.ts`, a process or a command runs, besides its
   * `handlers`, `routes` and `declaration`.
   */
  entries?: string
}

/**
 * The folders of each room from the bottom up: a folder imports those above it in this list, and never one
 * below. A folder that is not named belongs to the one it is in. `.` are the files at the top of a room.
 */
export const rooms: Readonly<Record<string, Readonly<Record<string, Folder>>>> = {
  'api/platform': {
    db: {
      offers: 'clock columns generated/tables lifecycle lists personalDataRule pool searchPath transaction',
      entries: 'indexDatabase migrate migrations partitions pooling refuseOwner roleSettings roles',
    },
    jobs: { offers: 'attempts due each services', entries: 'connection listener queue run untilReached' },
    announcements: { offers: 'announce' },
    blobs: { offers: 'open store', entries: 'removeBlobs' },
    files: { offers: 'signatures' },
    isolation: { offers: 'isolate nodeChild' },
    pictures: { offers: 'rasterImages squarePicture' },
    zip: { offers: 'archive write zip' },
    signing: { offers: 'keys seal' },
    'http/route': { offers: 'pagination route schemas versions', entries: 'catalogue' },
    'http/serve': {
      offers:
        'accept body form idempotency input json limits plainMessage problem receive serve serveProtocol serveText services version',
      entries: 'windows',
    },
    'http/files': { offers: 'contentDisposition fileAnswers serveFile serveStream' },
    'http/streams': { offers: 'serveStream stream upgrade' },
    'http/listen': { offers: 'methods mount', entries: 'addresses listen' },
    'http/openapi': { offers: 'openapi', entries: 'documentation' },
    audit: { offers: 'audit head', entries: 'archiveLog check seal' },
    events: {
      offers: 'announcements consume cursor emit eventType log placeActs subjects visibility',
      entries: 'published purge',
    },
    webhooks: {
      offers: 'announcements change create family find owner post replay routes target testEvent',
      entries: 'disable dropOld pump secret',
    },
    docs: { offers: 'layout pages' },
  },
  'api/identity': {
    'announcements.ts': {},
    'person.ts': {},
    authentication: { offers: 'credential freshPasskey', entries: 'authenticate' },
    accounts: { offers: 'addressHash caps closeTickets createHuman eraseAt owner routes' },
    wallets: { offers: 'payoutWallet wallets' },
    keys: { offers: 'find routes' },
    sessions: { offers: 'list open' },
    tokens: { offers: 'list mint spendLimit spendLimitSchemas' },
    tickets: {},
    passkeys: { offers: 'challenges register routes signedIn' },
    enrolments: { offers: 'issue' },
    orgs: { offers: 'answerInvitation emailInvitations find' },
    pictures: {},
    exports: { entries: 'jobs' },
    erasure: { entries: 'jobs' },
    setup: { entries: 'appoint bootstrap firstEnrolments' },
  },
  'api/payments': {
    chain: { offers: 'decode evidence indexRows intents nodes payments progress verify', entries: 'refuseIndexOwner' },
    ledger: {
      offers: 'appealFees balances contract custody generated/accountKinds loss post reserve',
      entries: 'snapshotBalances',
    },
    stops: { offers: 'stops', entries: 'administer' },
    payouts: {
      offers: 'account fail open states transition',
      entries: 'rejectWallet sightWallets submitPending unblock',
    },
    escrow: {
      offers:
        'announceRelease announcements approvals authorizations custody deposits fund holds payerAttribution queries release strayPayments terms',
    },
    appealFees: { offers: 'announcements decide find offer receive' },
    reserve: { offers: 'record sweep', entries: 'watchHotWallet' },
    settlement: {
      offers: 'checkpoints parkedPayments recheck',
      entries: 'endAuthorizations outcomes returnStrays settle',
    },
    reconciliation: { entries: 'reconcile' },
    liabilities: { entries: 'publish' },
  },
  'api/trading': {
    terms: { offers: 'limits' },
    criteria: { offers: 'read request results schema', entries: 'jobs measure run' },
    reputation: { offers: 'alpha buyers record schemas sellers', entries: 'weighting' },
    asks: { offers: 'find limits routes wire' },
    bids: { offers: 'close create find routes take' },
    'orders/record': {
      offers:
        'announcements authorization baseline capacity declaration find fundable fundingWire guards labels queries schemas states transition wire x402',
    },
    'orders/routes.ts': {},
    'orders/work': {
      offers: 'accept cancel changeSla deadlines deliver reject',
      entries: 'announceDeliveries close remind tellOfExpiredHolds',
    },
    'orders/placement': { offers: 'place request subject' },
    'orders/payment': {
      offers: 'fileAuthorization pay paymentChecks present signSettlement',
      entries: 'confirmFunding expireUnpaid',
    },
    'orders/handlers.ts': {},
    deliveries: { offers: 'find link notice notify routes storeUpload wire', entries: 'sweepBlobs textOfUpload' },
    threads: { offers: 'insert seal wire', entries: 'announcements' },
    disputes: {
      offers: 'schemas',
      entries:
        'announcements appeals askModels deadlines disputeFacts end evidence/handlers grounds model/case model/decide remedy remind reviews/handlers reviews/jobs rules screener/screen texts',
    },
    ratings: {},
    receipts: { entries: 'finalize' },
    search: { offers: 'correct deadline query' },
    timeline: {},
    ticker: {},
    oversight: { entries: 'sumHours' },
  },
  'api/workspace': {
    'schemas.ts': {},
    'membership.ts': {},
    'orgEvents.ts': {},
    'recordChange.ts': {},
    'orgRoute.ts': {},
    'shortId.ts': {},
    'readers.ts': {},
    'serveMember.ts': {},
    'entityUrl.ts': {},
    mails: { offers: 'deliver', entries: 'confirm pages sendConfirmations sendInvitations' },
    notifications: { offers: 'kinds notify', entries: 'channels erasure send trades' },
    webhooks: { offers: 'tellStopped', entries: 'family' },
    agents: {},
    members: { entries: 'announce' },
    spaces: { offers: 'find', entries: 'places' },
    pages: { offers: 'code create declaration find mentions references tree write', entries: 'purge' },
    attachments: {
      offers: 'attach content declaration find mediaType names routes storage textEncoding update versions',
      entries: 'hash purge',
    },
    tasks: { offers: 'find', entries: 'follow leases unassign' },
    views: {},
    comments: {},
    decisions: {},
    secrets: { offers: 'find', entries: 'values' },
    confirmations: {},
    processing: { entries: 'process' },
    scanning: { entries: 'scan' },
    serving: {},
    archives: {},
    uploads: { entries: 'expire' },
    imports: { entries: 'run' },
    search: {},
  },
  cli: {
    machine: { offers: 'account alive env group http lock paths ports process reaper sandboxFile' },
    terminal: { offers: 'failure jsonFile options password progress text waits' },
    'stack/postgres': { offers: 'testServer' },
    stack: {
      offers:
        'api chain compile console deploy facilitator facilitatorFile indexer keys keystore migrate operators restored sandbox services stops wallets worker',
    },
    doctor: { offers: 'doctor' },
    'user/people': { offers: 'client wallet' },
    'user/audit': {},
    'user/demo': {},
    'user/verify': {},
    user: { offers: 'asks audit deliver demo mcp node order reclaim up verify version wallet withdraw' },
    'tools/tests/mutation/source': { offers: 'ast edit' },
    'tools/tests/mutation/operators': {},
    'tools/tests': { offers: 'chains totals' },
    'tools/tests/mutation': {},
    'tools/consoleTexts': {},
    tools: { offers: 'bench check evaluateArbitrator evaluateScreener generate package release screenshots test' },
    '.': {},
  },
  console: {
    texts: { offers: 'Trans loadLanguage message texts words' },
    data: { offers: 'all conflicts live market me myAgents org passkeys push queries remark unread urn waits' },
    'data/files': { offers: 'digest fetchedFile folder pictures upload' },
    'data/storage': { offers: 'auditPlace draft knownPayees trusted' },
    'ui/values': { offers: 'Amount ChainHash Data format Hash State Time' },
    'ui/forms': { offers: 'Button Dialog Field Form FormDialog Problem Secret SecretForm' },
    'ui/layout': { offers: 'BarChart DescriptionList PageHead Section Table' },
    'ui/files': { offers: 'EvidenceFiles OpenFile SaveJson' },
    'ui/code': { offers: 'ApiExample Snippet' },
    'ui/pictures': { offers: 'Avatar PictureForm' },
    'ui/markdown': { offers: 'Markdown markdownTokens' },
    ui: { offers: 'AdvanceClock hold useLoaded' },
    routing: { offers: 'paths routes useOrgParams useSearchFocus' },
    wallet: {
      offers: 'BindingText ConnectWallet WholeAddress binding nodeReceipts encoding provider sandboxWallet wallets',
    },
    session: { offers: 'Enrol OperatorOnly SessionOver SignIn' },
    'pages/account/actor': { offers: 'ActorSelect useActor' },
    'pages/account/wallets': { offers: 'PayoutState Withdraw' },
    'pages/account/tokens': { offers: 'Scopes SpendLimitFields Tokens' },
    'pages/account/agents': {},
    'pages/account/person': {},
    'pages/account/events': {},
    'pages/account': { offers: 'routes' },
    'pages/webhooks': { offers: 'OrgWebhooks SwitchWebhook WebhookState routes' },
    'pages/work/spaces': { offers: 'DeleteSpace NewSpace RenameSpace SpaceMembers SpaceSelect' },
    'pages/work/comments': { offers: 'Comments useHashTarget' },
    'pages/work/files': { offers: 'Imports UploadFiles previewUrl' },
    'pages/work/pages': { offers: 'ExportPages NewPage' },
    'pages/work/tasks': {},
    'pages/work/decisions': {},
    'pages/work/secrets': {},
    'pages/work/notifications': {},
    'pages/work/search': {},
    'pages/work/org': { offers: 'Invitations' },
    'pages/work': { offers: 'routes' },
    'pages/trade/market': { offers: 'AgentLink' },
    'pages/trade/order': { offers: 'Dispute Order PaymentState Sealed step useOutcome' },
    'pages/trade/dispute': { offers: 'reasonText' },
    'pages/trade': { offers: 'routes' },
    'pages/operate/health': { offers: 'HealthBadge' },
    'pages/operate/people': {},
    'pages/operate/reviews': {},
    'pages/operate/books': {},
    'pages/operate/payouts': {},
    'pages/operate/audit': {},
    'pages/operate': { offers: 'routes' },
    'shell/navigation': { offers: 'navigation' },
    'shell/keyboard': {},
    shell: { offers: 'Shell' },
    '.': {},
  },
  facilitator: {
    context: { offers: 'batch chain decision exclusive lasting records summary' },
    chain: { offers: 'fees gas head reasons witness' },
    file: {
      offers:
        'authenticity authorizationFile budget fileChain fileRows firstSights lease restoreGuard session signedAuthorizations store transactions walletSights',
    },
    keys: { offers: 'signer signers transaction' },
    evidence: { offers: 'authorizationUsage holdState pass payments simulate submission transactionOutcome' },
    proof: { offers: 'authorizations binding distribution knownWallets refundElsewhere releaseGate unproved' },
    intents: { offers: 'advance agenda deposit fund' },
    x402: { offers: 'serve settings' },
    '.': { offers: 'env foreignRows keystores main preflight' },
  },
  protocol: {
    generated: { offers: 'escrow escrowEvents token tokenEvents' },
    encoding: { offers: 'amounts bytes canonical hex ids urn' },
    keys: { offers: 'agentKeys keystore signatureForms signatures signing' },
    telemetry: { offers: 'metrics trace traceparent', entries: 'log openTelemetry' },
    rpc: { offers: 'askAll blockLogs firstBlock indexedLogs logs rpc topics' },
    records: { offers: 'auditChain baseline message receipt reputation sealed sealedContent verdict' },
    payments: {
      offers:
        'authorization authorizationUsage bindingFault coldWallet escrowChainId fees intents nonces paymentSignature payoutReceipt settlement split terms tokenDomain walletBinding walletHandover',
    },
    liabilities: { offers: 'inclusion liabilities liabilityPath liabilityTree' },
    environment: { offers: 'databaseRole environment migrations pooler searchPath secretFiles silence version' },
  },
}
