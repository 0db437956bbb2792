// Generated from the definitions of the routes by `node cli/main.ts generate`.
/** The dated version of the wire format that the client speaks (spec 9). */
export const VERSION = '2026-05-17'

/** Every operation: its method and its path. */
export const OPERATIONS = {
  getPublicConfig: 'GET /v1/config/public',
  getKeys: 'GET /v1/keys',
  createHuman: 'POST /v1/accounts/humans',
  listHumans: 'GET /v1/operator/humans',
  createAgent: 'POST /v1/accounts/agents',
  listAgents: 'GET /v1/me/agents',
  getAgent: 'GET /v1/agents/{urn}',
  deactivateAgent: 'POST /v1/me/agents/{urn}/deactivate',
  changeAgent: 'PATCH /v1/me/agents/{urn}',
  getMe: 'GET /v1/me',
  changeMe: 'PATCH /v1/me',
  challengeWallet: 'POST /v1/me/wallets',
  verifyWallet: 'POST /v1/me/wallets/verify',
  listWallets: 'GET /v1/me/wallets',
  choosePayoutWallet: 'POST /v1/me/wallets/{urn}/payout',
  handOverWallet: 'POST /v1/me/wallets/{urn}/handover',
  removeWallet: 'DELETE /v1/me/wallets/{urn}',
  offerSignUp: 'POST /v1/me/passkeys/sign_up/options',
  signUp: 'POST /v1/me/passkeys/sign_up/verify',
  offerRegistration: 'POST /v1/me/passkeys/registration/options',
  registerPasskey: 'POST /v1/me/passkeys/registration/verify',
  offerAssertion: 'POST /v1/me/passkeys/assertion/options',
  signIn: 'POST /v1/me/passkeys/assertion/verify',
  listPasskeys: 'GET /v1/me/passkeys',
  renamePasskey: 'PATCH /v1/me/passkeys/{urn}',
  removePasskey: 'DELETE /v1/me/passkeys/{urn}',
  issueEnrolment: 'POST /v1/accounts/humans/{urn}/enrolments',
  offerEnrolment: 'POST /v1/me/passkeys/enrolment/options',
  enrol: 'POST /v1/me/passkeys/enrolment/verify',
  listSessions: 'GET /v1/me/sessions',
  revokeSession: 'POST /v1/me/sessions/{urn}/revoke',
  logOut: 'POST /v1/me/sessions/log_out',
  issueTicket: 'POST /v1/me/agents/{urn}/tickets',
  revokeTicket: 'POST /v1/me/tickets/{urn}/revoke',
  exchangeTicket: 'POST /v1/tickets/exchange',
  mintToken: 'POST /v1/me/tokens',
  listTokens: 'GET /v1/me/tokens',
  getSpending: 'GET /v1/me/spending',
  setSpendLimit: 'PUT /v1/me/tokens/{urn}/spend_limit',
  rotateOwnToken: 'POST /v1/me/tokens/rotate',
  rotateToken: 'POST /v1/me/tokens/{urn}/rotate',
  revokeToken: 'POST /v1/me/tokens/{urn}/revoke',
  revokeAllTokens: 'POST /v1/me/tokens/revoke_all',
  createAsk: 'POST /v1/asks',
  listAsks: 'GET /v1/asks',
  listAgentAsks: 'GET /v1/agents/{urn}/asks',
  getAsk: 'GET /v1/asks/{urn}',
  reviseAsk: 'PATCH /v1/asks/{urn}',
  listAskVersions: 'GET /v1/asks/{urn}/versions',
  getAskVersion: 'GET /v1/asks/{urn}/versions/{version}',
  createBid: 'POST /v1/bids',
  listBids: 'GET /v1/bids',
  getBid: 'GET /v1/bids/{urn}',
  closeBid: 'POST /v1/bids/{urn}/close',
  createQuote: 'POST /v1/quotes',
  listQuotes: 'GET /v1/quotes',
  getQuote: 'GET /v1/quotes/{urn}',
  withdrawQuote: 'POST /v1/quotes/{urn}/withdraw',
  searchAsks: 'GET /v1/search',
  placeOrder: 'POST /v1/orders',
  fundOrder: 'POST /v1/orders/{urn}/fund',
  listOrders: 'GET /v1/orders',
  getOrder: 'GET /v1/orders/{urn}',
  acceptOrder: 'POST /v1/orders/{urn}/accept',
  rejectOrder: 'POST /v1/orders/{urn}/reject',
  signSettlement: 'POST /v1/orders/{urn}/settlement',
  cancelOrder: 'POST /v1/orders/{urn}/cancel',
  getOrderTimeline: 'GET /v1/orders/{urn}/timeline',
  publishKeys: 'POST /v1/me/keys',
  getAgentKeys: 'GET /v1/agents/{urn}/keys',
  listMessages: 'GET /v1/threads/{urn}/messages',
  postMessage: 'POST /v1/messages',
  getThread: 'GET /v1/threads/{urn}',
  discloseMessage: 'POST /v1/messages/{urn}/disclose',
  acceptMessage: 'POST /v1/messages/{urn}/accept',
  uploadDelivery: 'POST /v1/deliveries',
  getDelivery: 'GET /v1/deliveries/{urn}',
  downloadDelivery: 'GET /v1/deliveries/{urn}/content',
  handInEvidence: 'POST /v1/disputes/{urn}/files',
  getEvidence: 'GET /v1/evidence/{urn}',
  downloadEvidence: 'GET /v1/evidence/{urn}/content',
  getReceipt: 'GET /v1/receipts/{urn}',
  verifyReceipt: 'GET /v1/receipts/{urn}/verify',
  signReceipt: 'POST /v1/receipts/{urn}/sign',
  openDispute: 'POST /v1/disputes',
  listDisputes: 'GET /v1/disputes',
  getDispute: 'GET /v1/disputes/{urn}',
  respondToDispute: 'POST /v1/disputes/{urn}/response',
  submitEvidence: 'POST /v1/disputes/{urn}/evidence',
  declareReady: 'POST /v1/disputes/{urn}/ready',
  waiveAppeal: 'POST /v1/disputes/{urn}/waive',
  appealVerdict: 'POST /v1/disputes/{urn}/appeal',
  stateAppeal: 'POST /v1/disputes/{urn}/appeal/statement',
  fundAppeal: 'POST /v1/disputes/{urn}/appeal/fund',
  getVerdict: 'GET /v1/verdicts/{urn}',
  verifyVerdict: 'GET /v1/verdicts/{urn}/verify',
  clearReview: 'POST /v1/disputes/{urn}/screening',
  listReviews: 'GET /v1/reviews',
  readReview: 'POST /v1/disputes/{urn}/review',
  readReviewDelivery: 'POST /v1/disputes/{urn}/review/deliveries/{delivery}',
  readReviewFile: 'POST /v1/disputes/{urn}/review/files/{file}',
  decideReview: 'POST /v1/disputes/{urn}/verdict',
  rateOrder: 'POST /v1/ratings',
  listRatings: 'GET /v1/ratings',
  getRating: 'GET /v1/ratings/{urn}',
  replyToRating: 'POST /v1/ratings/{urn}/reply',
  getReputation: 'GET /v1/reputation/{urn}',
  queryReputation: 'POST /v1/reputation/queries',
  listPayouts: 'GET /v1/payouts',
  listAllPayouts: 'GET /v1/operator/payouts',
  getPayout: 'GET /v1/payouts/{urn}',
  reopenPayout: 'POST /v1/payouts/{urn}/reopen',
  readBalances: 'GET /v1/ledger/balances',
  readStatement: 'GET /v1/ledger/statement',
  downloadStatement: 'GET /v1/ledger/statement.csv',
  listPayoutReceipts: 'GET /v1/ledger/payout-receipts',
  listOrderMoney: 'GET /v1/ledger/orders',
  readOrderMoney: 'GET /v1/ledger/orders/{urn}',
  downloadOrderMoney: 'GET /v1/ledger/orders.csv',
  readHotWallet: 'GET /v1/ledger/hot-wallet',
  stopPayouts: 'POST /v1/payout-stops',
  listPayoutStops: 'GET /v1/payout-stops',
  explainPayoutStop: 'POST /v1/payout-stops/{urn}/explain',
  getReconciliation: 'GET /v1/public/reconciliation',
  listReconciliations: 'GET /v1/public/reconciliation/history',
  listAuditLog: 'GET /v1/audit-log',
  getAuditHead: 'GET /v1/audit-log/head',
  getLiabilities: 'GET /v1/liabilities',
  getLiabilitiesAt: 'GET /v1/liabilities/{block}',
  listInclusions: 'GET /v1/me/liabilities',
  listAppealFees: 'GET /v1/public/appeal-fees',
  getPublicPayment: 'GET /v1/public/payments/{from}/{nonce}',
  getEvents: 'GET /v1/events',
  openEventSocket: 'GET /v1/ws',
  listEventTypes: 'GET /v1/events/types',
  listRecentOrders: 'GET /v1/public/recent-orders',
  readOperatorTotals: 'GET /v1/operator/totals',
  searchEverything: 'POST /v1/operator/search',
  readPerson: 'POST /v1/operator/humans/{urn}/record',
  createWebhook: 'POST /v1/webhooks',
  listWebhooks: 'GET /v1/webhooks',
  getWebhook: 'GET /v1/webhooks/{urn}',
  updateWebhook: 'PATCH /v1/webhooks/{urn}',
  deleteWebhook: 'DELETE /v1/webhooks/{urn}',
  rotateWebhookSecret: 'POST /v1/webhooks/{urn}/rotate',
  testWebhook: 'POST /v1/webhooks/{urn}/test',
  listWebhookDeliveries: 'GET /v1/webhooks/{urn}/deliveries',
  getWebhookDelivery: 'GET /v1/webhooks/{urn}/deliveries/{id}',
  replayWebhookDelivery: 'POST /v1/webhooks/{urn}/deliveries/{id}/replay',
  recoverWebhook: 'POST /v1/webhooks/{urn}/recover',
  disableWebhook: 'POST /v1/webhooks/{urn}/disable',
  enableWebhook: 'POST /v1/webhooks/{urn}/enable',
  listAllWebhooks: 'GET /v1/operator/webhooks',
  listAnyWebhookDeliveries: 'GET /v1/operator/webhooks/{urn}/deliveries',
  getAnyWebhookDelivery: 'GET /v1/operator/webhooks/{urn}/deliveries/{id}',
  replayAnyWebhookDelivery: 'POST /v1/operator/webhooks/{urn}/deliveries/{id}/replay',
  createOrg: 'POST /v1/me/orgs',
  listOrgs: 'GET /v1/me/orgs',
  getOrg: 'GET /v1/me/orgs/{urn}',
  renameOrg: 'PATCH /v1/me/orgs/{urn}',
  deleteOrg: 'DELETE /v1/me/orgs/{urn}',
  listOrgMembers: 'GET /v1/me/orgs/{urn}/members',
  changeOrgRole: 'PATCH /v1/me/orgs/{urn}/members/{human_urn}',
  removeOrgMember: 'DELETE /v1/me/orgs/{urn}/members/{human_urn}',
  inviteOrgMember: 'POST /v1/me/orgs/{urn}/invitations',
  inviteByEmail: 'POST /v1/me/orgs/{urn}/email_invitations',
  listEmailInvitations: 'GET /v1/me/orgs/{urn}/email_invitations',
  withdrawEmailInvitation: 'DELETE /v1/me/orgs/{urn}/email_invitations/{id}',
  readInvitation: 'POST /v1/me/invitations/read',
  acceptInvitation: 'POST /v1/me/invitations/accept',
  declineInvitation: 'POST /v1/me/invitations/decline',
  listOrgInvitations: 'GET /v1/me/orgs/{urn}/invitations',
  listMyInvitations: 'GET /v1/me/invitations',
  withdrawOrgInvitation: 'DELETE /v1/me/orgs/{urn}/invitations/{human_urn}',
  joinOrg: 'POST /v1/me/orgs/{urn}/join',
  setPicture: 'PUT /v1/me/pictures/{urn}',
  removePicture: 'DELETE /v1/me/pictures/{urn}',
  listPictures: 'GET /v1/pictures',
  getPicture: 'GET /v1/pictures/{id}',
  requestExport: 'POST /v1/me/exports',
  listExports: 'GET /v1/me/exports',
  getExport: 'GET /v1/me/exports/{urn}',
  downloadExport: 'GET /v1/me/exports/{urn}/download',
  getExportFile: 'GET /v1/exports/{urn}/file',
  eraseMe: 'POST /v1/me/erase',
  cancelErasure: 'DELETE /v1/me/erase',
  addOrgAgent: 'POST /orgs/{org}/agents',
  listOrgAgents: 'GET /orgs/{org}/agents',
  pauseOrgAgent: 'POST /orgs/{org}/agents/{agent_urn}/pause',
  resumeOrgAgent: 'POST /orgs/{org}/agents/{agent_urn}/resume',
  revokeOrgAgent: 'POST /orgs/{org}/agents/{agent_urn}/revoke',
  getKillSwitch: 'GET /orgs/{org}/kill-switch',
  setKillSwitch: 'PUT /orgs/{org}/kill-switch',
  createSpace: 'POST /orgs/{org}/spaces',
  listSpaces: 'GET /orgs/{org}/spaces',
  getSpace: 'GET /orgs/{org}/spaces/{ref}',
  updateSpace: 'PATCH /orgs/{org}/spaces/{ref}',
  deleteSpace: 'DELETE /orgs/{org}/spaces/{ref}',
  listSpaceMembers: 'GET /orgs/{org}/spaces/{ref}/members',
  addSpaceMember: 'PUT /orgs/{org}/spaces/{ref}/members/{human_urn}',
  removeSpaceMember: 'DELETE /orgs/{org}/spaces/{ref}/members/{human_urn}',
  createPage: 'POST /orgs/{org}/pages',
  listPages: 'GET /orgs/{org}/pages',
  getPage: 'GET /orgs/{org}/pages/{ref}',
  editPage: 'PATCH /orgs/{org}/pages/{ref}',
  trashPage: 'DELETE /orgs/{org}/pages/{ref}',
  restorePage: 'POST /orgs/{org}/pages/{ref}/restore',
  movePage: 'POST /orgs/{org}/pages/{ref}/move',
  publishPage: 'POST /orgs/{org}/pages/{ref}/publish',
  listPageVersions: 'GET /orgs/{org}/pages/{ref}/versions',
  getPageVersion: 'GET /orgs/{org}/pages/{ref}/versions/{number}',
  diffPageVersions: 'GET /orgs/{org}/pages/{ref}/versions/{number}/diff',
  restorePageVersion: 'POST /orgs/{org}/pages/{ref}/versions/{number}/restore',
  setPagePresence: 'PUT /orgs/{org}/pages/{ref}/presence',
  endPagePresence: 'DELETE /orgs/{org}/pages/{ref}/presence',
  createEntry: 'POST /orgs/{org}/pages/{ref}/entries',
  listEntries: 'GET /orgs/{org}/pages/{ref}/entries',
  getEntry: 'GET /orgs/{org}/entries/{ref}',
  editEntry: 'PATCH /orgs/{org}/entries/{ref}',
  deleteEntry: 'DELETE /orgs/{org}/entries/{ref}',
  createTask: 'POST /orgs/{org}/tasks',
  listTasks: 'GET /orgs/{org}/tasks',
  getTask: 'GET /orgs/{org}/tasks/{ref}',
  getOrderTask: 'GET /v1/orders/{urn}/task',
  updateTask: 'PATCH /orgs/{org}/tasks/{ref}',
  addTaskFile: 'PUT /orgs/{org}/tasks/{ref}/files/{attachment}',
  removeTaskFile: 'DELETE /orgs/{org}/tasks/{ref}/files/{attachment}',
  claimTask: 'POST /orgs/{org}/tasks/{ref}/claim',
  releaseTask: 'POST /orgs/{org}/tasks/{ref}/release',
  submitTask: 'POST /orgs/{org}/tasks/{ref}/submit',
  approveTask: 'POST /orgs/{org}/tasks/{ref}/approve',
  rejectTask: 'POST /orgs/{org}/tasks/{ref}/reject',
  refileTask: 'POST /orgs/{org}/tasks/{ref}/refile',
  archiveTask: 'POST /orgs/{org}/tasks/{ref}/archive',
  offerTask: 'POST /orgs/{org}/tasks/{ref}/offer',
  withdrawTaskOffer: 'POST /orgs/{org}/tasks/{ref}/withdraw-offer',
  createView: 'POST /orgs/{org}/views',
  listViews: 'GET /orgs/{org}/views',
  deleteView: 'DELETE /orgs/{org}/views/{ref}',
  createComment: 'POST /orgs/{org}/comments',
  listComments: 'GET /orgs/{org}/comments',
  getComment: 'GET /orgs/{org}/comments/{ref}',
  editComment: 'PATCH /orgs/{org}/comments/{ref}',
  deleteComment: 'DELETE /orgs/{org}/comments/{ref}',
  resolveComment: 'POST /orgs/{org}/comments/{ref}/resolve',
  reopenComment: 'POST /orgs/{org}/comments/{ref}/reopen',
  recordDecision: 'POST /orgs/{org}/decisions',
  listDecisions: 'GET /orgs/{org}/decisions',
  getDecision: 'GET /orgs/{org}/decisions/{ref}',
  createSecret: 'POST /orgs/{org}/secrets',
  listSecrets: 'GET /orgs/{org}/secrets',
  getSecret: 'GET /orgs/{org}/secrets/{ref}',
  replaceSecretValue: 'PUT /orgs/{org}/secrets/{ref}/value',
  deleteSecret: 'DELETE /orgs/{org}/secrets/{ref}',
  revealSecret: 'POST /orgs/{org}/secrets/{ref}/reveal',
  getSecretPolicy: 'GET /orgs/{org}/secret-policy',
  setSecretPolicy: 'PUT /orgs/{org}/secret-policy',
  startImport: 'POST /orgs/{org}/imports',
  listImports: 'GET /orgs/{org}/imports',
  getImport: 'GET /orgs/{org}/imports/{ref}',
  undoImport: 'POST /orgs/{org}/imports/{ref}/undo',
  uploadAttachment: 'POST /orgs/{org}/attachments',
  listAttachments: 'GET /orgs/{org}/attachments',
  getAttachment: 'GET /orgs/{org}/attachments/{ref}',
  updateAttachment: 'PATCH /orgs/{org}/attachments/{ref}',
  trashAttachment: 'DELETE /orgs/{org}/attachments/{ref}',
  restoreAttachment: 'POST /orgs/{org}/attachments/{ref}/restore',
  purgeAttachment: 'POST /orgs/{org}/attachments/{ref}/purge',
  replaceAttachmentContent: 'PUT /orgs/{org}/attachments/{ref}/content',
  listAttachmentVersions: 'GET /orgs/{org}/attachments/{ref}/versions',
  restoreAttachmentVersion: 'POST /orgs/{org}/attachments/{ref}/versions/{number}/restore',
  deleteAttachmentVersion: 'DELETE /orgs/{org}/attachments/{ref}/versions/{number}',
  emptyTrash: 'POST /orgs/{org}/trash/empty',
  getStorageUsage: 'GET /orgs/{org}/usage',
  downloadAttachment: 'GET /orgs/{org}/attachments/{ref}/download',
  downloadAttachmentVersion: 'GET /orgs/{org}/attachments/{ref}/versions/{number}/download',
  previewAttachment: 'GET /orgs/{org}/attachments/{ref}/preview',
  serveAttachment: 'GET /files/{attachment}/{number}',
  downloadPageArchive: 'GET /orgs/{org}/pages/{ref}/archive',
  downloadSpaceArchive: 'GET /orgs/{org}/spaces/{ref}/archive',
  createUpload: 'POST /uploads',
  getUpload: 'GET /uploads/{id}',
  appendToUpload: 'PATCH /uploads/{id}',
  terminateUpload: 'DELETE /uploads/{id}',
  readAttachmentText: 'GET /orgs/{org}/attachments/{ref}/text',
  searchWorkspace: 'GET /orgs/{org}/search',
  getNotificationPrefs: 'GET /me/notification-prefs',
  replaceNotificationPrefs: 'PUT /me/notification-prefs',
  createPushSubscription: 'POST /me/push-subscriptions',
  listPushSubscriptions: 'GET /me/push-subscriptions',
  deletePushSubscription: 'DELETE /me/push-subscriptions/{id}',
  listTradeNotifications: 'GET /me/notifications',
  countUnreadNotifications: 'GET /me/notifications/unread',
  markTradeNotificationsRead: 'POST /me/notifications/read',
  listNotifications: 'GET /orgs/{org}/notifications',
  markNotificationsRead: 'POST /orgs/{org}/notifications/read',
  getEmail: 'GET /me/email',
  askEmailConfirmation: 'POST /me/email/confirmations',
  confirmEmailAddress: 'POST /mail/confirm',
  unsubscribeFromMail: 'POST /mail/unsubscribe',
  refuseInvitations: 'POST /mail/no-invitations',
  listQuarantine: 'GET /quarantine',
  releaseQuarantined: 'POST /quarantine/{id}/release',
  rescanQuarantined: 'POST /quarantine/{id}/rescan',
  deleteQuarantined: 'DELETE /quarantine/{id}',
  askConfirmation: 'POST /orgs/{org}/confirmations',
  listConfirmations: 'GET /orgs/{org}/confirmations',
  getConfirmation: 'GET /orgs/{org}/confirmations/{id}',
  answerConfirmation: 'POST /orgs/{org}/confirmations/{id}/answer',
  createOrgWebhook: 'POST /orgs/{org}/webhooks',
  listOrgWebhooks: 'GET /orgs/{org}/webhooks',
  getOrgWebhook: 'GET /orgs/{org}/webhooks/{id}',
  updateOrgWebhook: 'PATCH /orgs/{org}/webhooks/{id}',
  deleteOrgWebhook: 'DELETE /orgs/{org}/webhooks/{id}',
  rotateOrgWebhookSecret: 'POST /orgs/{org}/webhooks/{id}/rotate',
  testOrgWebhook: 'POST /orgs/{org}/webhooks/{id}/test',
  listOrgWebhookDeliveries: 'GET /orgs/{org}/webhooks/{id}/deliveries',
  getOrgWebhookDelivery: 'GET /orgs/{org}/webhooks/{id}/deliveries/{delivery}',
  replayOrgWebhookDelivery: 'POST /orgs/{org}/webhooks/{id}/deliveries/{delivery}/replay',
  recoverOrgWebhook: 'POST /orgs/{org}/webhooks/{id}/recover',
  getHealth: 'GET /healthz',
  getReadiness: 'GET /readyz',
  getOperatorStatus: 'GET /v1/operator/status',
  advanceSandboxClock: 'POST /sandbox/clock/advance',
  createSandboxHuman: 'POST /sandbox/humans',
  readSandboxClock: 'GET /sandbox/clock',
  requestSandboxFunds: 'POST /sandbox/faucet',
  getOpenApi: 'GET /openapi.json',
} as const

/** The types of the problems that the service answers with. */
export type ProblemType =
  | 'market:error:agents/deactivated'
  | 'market:error:agents/too-many'
  | 'market:error:asks/at-capacity'
  | 'market:error:asks/inactive'
  | 'market:error:asks/input-unusable'
  | 'market:error:asks/price-missing'
  | 'market:error:asks/revised'
  | 'market:error:asks/version-mismatch'
  | 'market:error:asks/window-out-of-range'
  | 'market:error:auth/forbidden'
  | 'market:error:auth/origin-refused'
  | 'market:error:auth/scope-insufficient'
  | 'market:error:auth/ticket-invalid'
  | 'market:error:auth/unauthenticated'
  | 'market:error:authorization/expired'
  | 'market:error:authorization/malformed'
  | 'market:error:authorization/mismatch'
  | 'market:error:authorization/signature-invalid'
  | 'market:error:authorization/spent'
  | 'market:error:bids/not-open'
  | 'market:error:bids/price-missing'
  | 'market:error:bids/window-out-of-range'
  | 'market:error:deliveries/link-expired'
  | 'market:error:deliveries/too-many'
  | 'market:error:deliveries/wrong-hash'
  | 'market:error:disputes/evidence-refused'
  | 'market:error:disputes/state-conflict'
  | 'market:error:disputes/too-many-appeals'
  | 'market:error:disputes/too-many-files'
  | 'market:error:enrolments/not-needed'
  | 'market:error:erase_blocked'
  | 'market:error:events/cursor-expired'
  | 'market:error:events/too-many-streams'
  | 'market:error:exports/in-progress'
  | 'market:error:exports/not-ready'
  | 'market:error:facilitator/unavailable'
  | 'market:error:idempotency/in-flight'
  | 'market:error:idempotency/key-reused'
  | 'market:error:idempotency/other-token'
  | 'market:error:keys/missing'
  | 'market:error:keys/stale'
  | 'market:error:keys/wallet-required'
  | 'market:error:keys/weak'
  | 'market:error:mails/not-needed'
  | 'market:error:messages/disclosure-refused'
  | 'market:error:messages/invalid-payload'
  | 'market:error:messages/seal-invalid'
  | 'market:error:messages/seal-required'
  | 'market:error:messages/seal-reused'
  | 'market:error:orders/already-funded'
  | 'market:error:orders/amount-out-of-range'
  | 'market:error:orders/deliveries-exhausted'
  | 'market:error:orders/equal-order-paid'
  | 'market:error:orders/gas-budget-spent'
  | 'market:error:orders/own-ask'
  | 'market:error:orders/payer-conflict'
  | 'market:error:orders/payer-wallet-required'
  | 'market:error:orders/seller-wallet-required'
  | 'market:error:orders/state-conflict'
  | 'market:error:orders/suspended'
  | 'market:error:orders/window-closed'
  | 'market:error:orders/windows-too-long'
  | 'market:error:orgs/already-invited'
  | 'market:error:orgs/already-member'
  | 'market:error:orgs/last-owner'
  | 'market:error:orgs/not-empty'
  | 'market:error:orgs/slug-taken'
  | 'market:error:orgs/too-many'
  | 'market:error:passkeys/already-registered'
  | 'market:error:passkeys/assertion-refused'
  | 'market:error:passkeys/challenge-invalid'
  | 'market:error:passkeys/last-one'
  | 'market:error:passkeys/registration-refused'
  | 'market:error:payouts/not-parked'
  | 'market:error:payouts/wallet-not-in-use'
  | 'market:error:pictures/unreadable'
  | 'market:error:proposals/none'
  | 'market:error:proposals/other-digest'
  | 'market:error:proposals/superseded'
  | 'market:error:push/registered-elsewhere'
  | 'market:error:quotes/not-open'
  | 'market:error:quotes/other-bid'
  | 'market:error:quotes/outside-bid'
  | 'market:error:ratings/exists'
  | 'market:error:re_auth_required'
  | 'market:error:request/expectation-failed'
  | 'market:error:request/headers-too-large'
  | 'market:error:request/invalid'
  | 'market:error:request/malformed'
  | 'market:error:request/method-not-allowed'
  | 'market:error:request/not-acceptable'
  | 'market:error:request/not-found'
  | 'market:error:request/range-not-satisfiable'
  | 'market:error:request/rate-limited'
  | 'market:error:request/timeout'
  | 'market:error:request/too-large'
  | 'market:error:request/transfer-coding-unknown'
  | 'market:error:request/unsupported-media-type'
  | 'market:error:request/upgrade-required'
  | 'market:error:resource/not-found'
  | 'market:error:search/timed-out'
  | 'market:error:service/catching-up'
  | 'market:error:service/fault'
  | 'market:error:service/not-ready'
  | 'market:error:service/unavailable'
  | 'market:error:settlements/invalid'
  | 'market:error:stops/nothing-to-explain'
  | 'market:error:tokens/spend-limit'
  | 'market:error:version/required'
  | 'market:error:version/route-unavailable'
  | 'market:error:version/unknown'
  | 'market:error:wallets/already-bound'
  | 'market:error:wallets/challenge-invalid'
  | 'market:error:wallets/paid-to'
  | 'market:error:wallets/signature-invalid'
  | 'market:error:webhooks/disabled'
  | 'market:error:webhooks/not-active'
  | 'market:error:webhooks/not-disabled'
  | 'market:error:webhooks/not-replayable'
  | 'market:error:webhooks/too-many'
  | 'market:error:workspace/agent-exists'
  | 'market:error:workspace/agent-shut-out'
  | 'market:error:workspace/agent-state-conflict'
  | 'market:error:workspace/anchor-not-found'
  | 'market:error:workspace/archive-too-large'
  | 'market:error:workspace/attachment-held'
  | 'market:error:workspace/attachment-not-trashed'
  | 'market:error:workspace/attachment-quarantined'
  | 'market:error:workspace/attachment-trashed'
  | 'market:error:workspace/checksum-mismatch'
  | 'market:error:workspace/comment-conflict'
  | 'market:error:workspace/confirmation-closed'
  | 'market:error:workspace/confirmation-required'
  | 'market:error:workspace/decision-superseded'
  | 'market:error:workspace/file-too-large'
  | 'market:error:workspace/humans-only'
  | 'market:error:workspace/import-edited'
  | 'market:error:workspace/import-state-conflict'
  | 'market:error:workspace/link-expired'
  | 'market:error:workspace/not-infected'
  | 'market:error:workspace/page-conflict'
  | 'market:error:workspace/page-not-trashed'
  | 'market:error:workspace/page-tree'
  | 'market:error:workspace/preview-not-available'
  | 'market:error:workspace/quota-exceeded'
  | 'market:error:workspace/secret-exists'
  | 'market:error:workspace/space-archived'
  | 'market:error:workspace/space-not-empty'
  | 'market:error:workspace/task-of-order'
  | 'market:error:workspace/task-state-conflict'
  | 'market:error:workspace/text-too-long'
  | 'market:error:workspace/tus-version'
  | 'market:error:workspace/upload-locked'
  | 'market:error:workspace/upload-offset-mismatch'
  | 'market:error:workspace/version-current'
