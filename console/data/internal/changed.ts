import type { OperationName } from '../../../sdk/market.ts'

const MONEY = ['readBalances', 'readStatement', 'listOrderMoney', 'readOrderMoney'] satisfies OperationName[]

/** The operations to read again after an event of the market, by the first word of its type. */
const OF_MARKET = {
  order: ['listOrders', 'getOrder', ...MONEY],
  escrow: ['getOrder', ...MONEY],
  message: ['listMessages', 'getThread'],
  proposal: ['getOrder', 'listMessages', 'getDispute'],
  delivery: ['getDelivery', 'getOrder'],
  dispute: ['listDisputes', 'getDispute', 'getOrder', 'listReviews'],
  verdict: ['getDispute', 'getVerdict', 'getOrder'],
  appeal: ['getDispute', 'listDisputes'],
  rating: ['listRatings', 'getReputation'],
  payout: ['listPayouts', 'getPayout', ...MONEY],
  quote: ['listQuotes', 'getBid', 'listBids'],
  bid: ['listBids', 'getBid'],
  ask: ['listAsks', 'getAsk', 'listAskVersions'],
  webhook: ['listWebhooks', 'listWebhookDeliveries'],
  picture: ['listPictures'],
} satisfies Record<string, readonly OperationName[]>

/** The same for events of orgs. */
const OF_ORGS = {
  page: ['listPages', 'getPage', 'listPageVersions', 'listEntries'],
  task: ['listTasks', 'getTask'],
  comment: ['listComments'],
  // A page shows whether the files that it refers to are there.
  attachment: ['listAttachments', 'getAttachment', 'listAttachmentVersions', 'getStorageUsage', 'getPage', 'getTask'],
  space: ['listSpaces', 'getSpace', 'listSpaceMembers', 'listPages'],
  member: ['listOrgMembers', 'listOrgInvitations', 'listEmailInvitations', 'listOrgs'],
  invitation: ['listOrgInvitations', 'listEmailInvitations'],
  agent: ['listOrgAgents', 'getKillSwitch'],
  decision: ['listDecisions', 'getDecision'],
  secret: ['listSecrets', 'getSecretPolicy'],
  import: ['listImports', 'listPages'],
  view: ['listViews'],
} satisfies Record<string, readonly OperationName[]>

const CHANGED: Record<string, readonly OperationName[]> = { ...OF_MARKET, ...OF_ORGS }
/** An event of any type can be notified of, and an order's timeline shows all events of the order. */
const BY_ALL = [
  'countUnreadNotifications',
  'listNotifications',
  'listTradeNotifications',
  'getOrderTimeline',
] satisfies OperationName[]

/**
 * The events that the console follows: those of the market, and those of orgs, which `*` does not include.
 */
export const SUBJECTS: readonly string[] = ['*', ...Object.keys(OF_ORGS).map((domain) => `${domain}.*`)]

/** Returns the operations to read again after events of these types. */
export function changedBy(types: Iterable<string>): Set<OperationName> {
  const domains = new Set([...types].map((type) => type.slice(0, type.indexOf('.'))))
  return new Set([...BY_ALL, ...[...domains].flatMap((domain) => CHANGED[domain] ?? [])])
}
