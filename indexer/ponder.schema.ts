import { index, onchainTable, type PgColumnsBuilders, primaryKey } from 'ponder'

// Amounts are int8 micro-units: the token's whole supply fits. Addresses and hashes are lowercase hex. Times
// are unix seconds.

/** The place of a row's event on chain: readers verify it at their own node before they act on it. */
const place = (t: PgColumnsBuilders) => ({
  chainId: t.integer().notNull(),
  blockNumber: t.int8({ mode: 'bigint' }).notNull(),
  blockHash: t.hex().notNull(),
  blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
  transactionHash: t.hex().notNull(),
  logIndex: t.integer().notNull(),
})

const micros = (t: PgColumnsBuilders) => t.int8({ mode: 'bigint' }).notNull()

/** Funded: every hold of the escrow, strangers' included. `termsHash` is the nonce that its payer signed. */
export const holds = onchainTable(
  'holds',
  (t) => ({
    holdId: t.hex().primaryKey(),
    termsHash: t.hex().notNull(),
    orderKey: t.hex().notNull(),
    payer: t.hex().notNull(),
    payee: t.hex().notNull(),
    amountMicros: micros(t),
    feeRecipient: t.hex().notNull(),
    feeBps: t.integer().notNull(),
    fundBy: t.int8({ mode: 'bigint' }).notNull(),
    expiry: t.int8({ mode: 'bigint' }).notNull(),
    adopted: t.boolean().notNull(),
    ...place(t),
  }),
  (table) => ({ byOrder: index().on(table.orderKey), byBlock: index().on(table.blockNumber) }),
)

/** Released: how a hold was split. `cause` is 0 the resolver, 1 the payer, 2 the payee. */
export const releases = onchainTable(
  'releases',
  (t) => ({
    holdId: t.hex().primaryKey(),
    orderKey: t.hex().notNull(),
    payer: t.hex().notNull(),
    payerMicros: micros(t),
    payeeMicros: micros(t),
    feeMicros: micros(t),
    cause: t.integer().notNull(),
    ...place(t),
  }),
  (table) => ({ byOrder: index().on(table.orderKey), byBlock: index().on(table.blockNumber) }),
)

/** Reclaimed: a hold that its payer reclaimed after expiry. */
export const reclaims = onchainTable(
  'reclaims',
  (t) => ({
    holdId: t.hex().primaryKey(),
    orderKey: t.hex().notNull(),
    payer: t.hex().notNull(),
    amountMicros: micros(t),
    ...place(t),
  }),
  (table) => ({ byOrder: index().on(table.orderKey), byBlock: index().on(table.blockNumber) }),
)

/** Withdrawn: an account's whole credit, paid to `recipient`. */
export const withdrawals = onchainTable(
  'withdrawals',
  (t) => ({
    account: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amountMicros: micros(t),
    ...place(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    byBlock: index().on(table.blockNumber),
  }),
)

/** The sums credited to and withdrawn by each account. Its place is that of the last change. */
export const claimableBalances = onchainTable('claimable_balances', (t) => ({
  account: t.hex().primaryKey(),
  creditedMicros: micros(t),
  withdrawnMicros: micros(t),
  claimableMicros: micros(t),
  ...place(t),
}))

/** StrayReturned: a payment without a hold that was returned to its sender. */
export const straysReturned = onchainTable(
  'strays_returned',
  (t) => ({
    payer: t.hex().notNull(),
    nonce: t.hex().notNull(),
    amountMicros: micros(t),
    ...place(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.payer, table.nonce] }),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * StrayAnnounced and StrayCancelled: the announced action of the resolver on a stray payment. `action` is 1
 * for an adoption, 2 for a return, and 0 if the pauser cancelled the announcement. An amount is as announced:
 * any number.
 */
export const strayAnnouncements = onchainTable(
  'stray_announcements',
  (t) => ({
    payer: t.hex().notNull(),
    nonce: t.hex().notNull(),
    action: t.integer().notNull(),
    amount: t.bigint(),
    availableAt: t.int8({ mode: 'bigint' }),
    ...place(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * Transfers of the payment token into and out of the escrow and the hot wallet. `authorizationNonce` is set
 * when the token logged AuthorizationUsed(sender, nonce) directly before the transfer: the evidence of a
 * signed payment. `holdId` is set when the escrow logged Funded directly after it: the payment is that
 * hold's.
 */
export const tokenTransfers = onchainTable(
  'token_transfers',
  (t) => ({
    sender: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amountMicros: micros(t),
    authorizationNonce: t.hex(),
    holdId: t.hex(),
    ...place(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    byAuthorization: index().on(table.sender, table.authorizationNonce),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * AuthorizationUsed, if one of the transfers above follows it. The token uses each (authorizer, nonce) once.
 */
export const authorizationsUsed = onchainTable(
  'authorizations_used',
  (t) => ({
    authorizer: t.hex().notNull(),
    nonce: t.hex().notNull(),
    ...place(t),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.authorizer, table.nonce] }) }),
)

/** Paused and Unpaused of the escrow. `pausedUntil` is null for an Unpaused. */
export const pauses = onchainTable(
  'pauses',
  (t) => ({
    pausedUntil: t.int8({ mode: 'bigint' }),
    ...place(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    byBlock: index().on(table.blockNumber),
  }),
)

/** ResolverChangeScheduled: the resolver that releases holds from `effectiveAt` on. */
export const resolverChanges = onchainTable(
  'resolver_changes',
  (t) => ({
    resolver: t.hex().notNull(),
    effectiveAt: t.int8({ mode: 'bigint' }).notNull(),
    ...place(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    byBlock: index().on(table.blockNumber),
  }),
)

/** Rescued: unowed tokens that the admin took out of the escrow, of the payment token and others. */
export const rescues = onchainTable(
  'rescues',
  (t) => ({
    token: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amount: t.bigint().notNull(),
    ...place(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    byBlock: index().on(table.blockNumber),
  }),
)
