import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

// The tables as pg answers them: int8 as bigint, timestamptz as Date, jsonb as its parsed value.
type Time = ColumnType<Date, Date | undefined, Date>
type MaybeTime = ColumnType<Date | null, Date | null | undefined, Date | null>
type JsonText<Value> = null extends Value ? string | null : string
type Json<Value> = ColumnType<Value, JsonText<Value>, JsonText<Value>>

export type OrderState =
  | 'placed'
  | 'funded'
  | 'in_flight'
  | 'delivered'
  | 'accepted'
  | 'rejected'
  | 'cancelled'
  | 'disputed'
  | 'final'
export type EscrowMode = 'custodied' | 'contract'
export type ReceiptPrivacy = 'stub' | 'public' | 'private'
export type Scope = 'read' | 'transact' | 'withdraw' | 'manage'

interface Events {
  id: Generated<bigint>
  transaction_id: Generated<string>
  event_id: Generated<string>
  event_type: string
  payload: Json<Record<string, unknown>>
  visible_to: string[]
  created_at: Time
}

interface AuditLog {
  id: Generated<bigint>
  transaction_id: Generated<string>
  actor: string
  action: string
  subject: string
  details: Json<Record<string, unknown> | null>
  salt: Generated<Buffer | null>
  digest: Buffer | null
  position: bigint | null
  chain_hash: Buffer | null
  is_attributed: Generated<boolean>
  created_at: Time
}

interface AuditAccounts {
  account_id: string
  position: bigint
  role: 'actor' | 'party' | 'subject'
}

interface IdempotentAnswers {
  account_id: string
  operation: string
  key: string
  fingerprint: Buffer
  token_id: string
  status: number
  headers: Json<Record<string, string>>
  body: Buffer | null
  is_sealed: boolean
  created_at: Time
}

interface Intents {
  id: string
  key: string
  kind: string
  order_id: string | null
  owner_id: Generated<string | null>
  payload: Json<Record<string, unknown>>
  created_at: Time
  closed_at: MaybeTime
  closing: 'settled' | 'failed' | 'voided' | null
}

interface Humans {
  id: string
  display_name: string
  email: string
  role: Generated<'member' | 'operator'>
  created_by: string | null
  created_at: Time
  erased_at: MaybeTime
}

interface Agents {
  id: string
  owner_id: string
  display_name: string
  description: string
  created_at: Time
  deactivated_at: MaybeTime
  reputation_permille: Generated<number>
}

interface Passkeys {
  id: string
  human_id: string
  credential_id: Buffer
  public_key: Buffer
  counter: bigint
  transports: string[]
  name: string
  is_backed_up: boolean
  created_at: Time
  last_used_at: MaybeTime
  flagged_at: MaybeTime
}

interface PasskeyChallenges {
  challenge: Buffer
  purpose: 'sign_up' | 'register' | 'enrol' | 'sign_in'
  human_id: string | null
  profile: Json<{ displayName: string; email: string } | null>
  expires_at: Date
  created_at: Time
}

interface Sessions {
  id: string
  human_id: string
  passkey_id: string
  secret_hash: Buffer
  created_at: Time
  seen_at: Time
  expires_at: Date
  revoked_at: MaybeTime
}

interface AgentTickets {
  id: string
  agent_id: string
  human_id: string
  secret_hash: Buffer
  scopes: Scope[]
  token_expires_at: MaybeTime
  expires_at: Date
  closed_at: MaybeTime
  created_at: Time
}

interface Enrolments {
  id: string
  human_id: string
  secret_hash: Buffer
  issued_by: string
  expires_at: Date
  closed_at: MaybeTime
  created_at: Time
}

interface Tokens {
  id: string
  human_id: string
  agent_id: string | null
  secret_hash: Buffer
  scopes: Scope[]
  created_at: Time
  expires_at: MaybeTime
  revoked_at: MaybeTime
  rotated_at: MaybeTime
  last_used_at: MaybeTime
}

interface WalletChallenges {
  id: string
  account_id: string
  owner_id: string
  address: string
  message: string
  expires_at: Date
  used_at: MaybeTime
  created_at: Time
}

interface WalletOwners {
  address: string
  owner_id: string
}

interface Wallets {
  id: string
  account_id: string
  owner_id: string
  address: string
  message: string
  signature: string
  verified_at: Time
  payout_from: MaybeTime
  doubtful_since: MaybeTime
}

interface Asks {
  id: string
  seller_id: string
  version: Generated<number>
  title: string
  description: string
  price_micros: bigint
  sla_seconds: number
  auto_accept_seconds: number
  active: Generated<boolean>
  created_at: Time
  updated_at: Time
  number: GeneratedAlways<bigint>
  search: GeneratedAlways<string | null>
}

interface AskVersions {
  ask_id: string
  version: number
  title: string
  description: string
  price_micros: bigint
  sla_seconds: number
  auto_accept_seconds: number
  created_at: Time
}

interface Bids {
  id: string
  bidder_id: string
  state: Generated<'open' | 'closed'>
  title: string
  description: string
  max_price_micros: bigint
  sla_seconds: number
  expires_at: Date
  created_at: Time
  closed_at: MaybeTime
}

interface Quotes {
  id: string
  bid_id: string
  bidder_id: string
  seller_id: string
  state: Generated<'open' | 'withdrawn' | 'replaced' | 'ordered'>
  price_micros: bigint
  sla_seconds: number
  auto_accept_seconds: number
  message: string
  expires_at: Date
  created_at: Time
  closed_at: MaybeTime
}

interface SearchWords {
  word: string
}

export interface Orders {
  id: string
  state: OrderState
  buyer_id: string
  seller_id: string
  ask_id: string | null
  ask_version: number | null
  quote_id: string | null
  bid_id: string | null
  escrow_mode: EscrowMode
  price_micros: bigint
  fee_bps: number
  sla_seconds: number
  auto_accept_seconds: number
  order_key: string
  recipient: string
  nonce: string
  payee: string | null
  fee_recipient: string
  valid_after: Date
  valid_before: Date
  expires_at: Date
  request_hash: Buffer
  thread_id: string | null
  receipt_id: string | null
  deliveries: Generated<number>
  placed_at: Time
  funded_at: MaybeTime
  sla_due_at: MaybeTime
  sla_breached_at: MaybeTime
  delivered_at: MaybeTime
  accept_by: MaybeTime
  redeliver_by: MaybeTime
  closed_at: MaybeTime
  reason: string | null
  suspended_at: MaybeTime
  updated_at: Time
  receipt_privacy: Generated<ReceiptPrivacy>
  sealed: Generated<boolean>
  buyer_keys_id: string | null
  seller_keys_id: string | null
}

interface Authorizations {
  id: string
  order_id: string
  state: 'pending' | 'settled' | 'failed'
  payer: string
  nonce: string
  amount_micros: bigint
  valid_after: Date
  valid_before: Date
  signature: string
  attempt: Generated<number>
  created_at: Time
}

interface Deposits {
  payer: string
  nonce: string
  amount_micros: bigint
  tx_hash: string
  payee_payout_nonce: string
  payer_payout_nonce: string
  created_at: Time
}

interface Holds {
  id: string
  order_id: string
  status: 'held' | 'released'
  payer: string
  amount_micros: bigint
  deposit_nonce: string
  deposit_tx: string
  hold_key: string | null
  released_payer_micros: bigint | null
  released_payee_micros: bigint | null
  released_fee_micros: bigint | null
  release_tx: string | null
  settled_at: MaybeTime
  created_at: Time
}

interface Strays {
  key: string
  kind: 'hold' | 'escrow_payment' | 'wallet_payment' | 'transfer'
  status: 'waiting' | 'adopting' | 'matched' | 'returning' | 'returned' | 'suspense'
  order_id: string | null
  payer: string
  nonce: string | null
  amount_micros: bigint
  tx_hash: string
  terms: Json<Record<string, unknown> | null>
  created_at: Time
}

interface Threads {
  id: string
  order_id: string
  sealed: Generated<boolean>
  created_at: Time
}

interface Messages {
  id: string
  thread_id: string
  sender_id: string
  kind: string
  payload: Json<Record<string, unknown> | null>
  body: string | null
  created_at: Time
  sealed: Json<Record<string, unknown> | null>
  sealed_id: string | null
}

interface AgentKeys {
  id: string
  agent_id: string
  hpke_public_key: string
  signing_public_key: string
  wallet: string
  issued_at: Date
  signature: string
  created_at: Time
}

interface Disclosures {
  message_id: string
  key: Buffer
  disclosed_by: string
  disclosed_at: Time
}

interface Deliveries {
  id: string
  order_id: string
  message_id: string | null
  sha256: string
  size_bytes: bigint
  filename: string | null
  created_at: Time
}

interface Acceptances {
  message_id: string
  order_id: string
  kind: 'scope_change_proposal' | 'cancellation_proposal'
  sha256: string
  accepted_by: string
  accepted_at: Time
}

interface Receipts {
  id: string
  order_id: string
  disputed: Generated<boolean>
  document: Json<Record<string, unknown> | null>
  key_id: string | null
  signature: string | null
  finalized_at: MaybeTime
  audit_id: bigint | null
  created_at: Time
}

interface Payouts {
  id: string
  order_id: string | null
  agent_id: string | null
  human_id: string | null
  leg: 'payee' | 'payer'
  state: 'pending' | 'blocked' | 'submitted' | 'confirmed' | 'failed'
  amount_micros: bigint
  to_address: string | null
  deposit_from: string
  deposit_nonce: string
  nonce: string
  attempt: Generated<number>
  tx_hash: string | null
  reason: string | null
  created_at: Time
  submitted_at: MaybeTime
  parked_at: MaybeTime
  wallet_id: string | null
  confirmed_at: MaybeTime
}

interface Sweeps {
  sequence: bigint
  nonce: string
  state: 'requested' | 'failed' | 'confirmed'
  amount_micros: bigint
  attempt: Generated<number>
  reason: string | null
  tx_hash: string | null
  requested_at: Time
  confirmed_at: MaybeTime
}

interface HotWallet {
  singleton: Generated<boolean>
  block_number: bigint
  balance_micros: bigint
  due_micros: bigint
  below_floor_since: MaybeTime
  observed_at: Time
}

interface SettledEvents {
  key: string
  kind: string
  block_number: bigint
  block_hash: string
  tx_hash: string
  log_index: number
  settled_at: Time
  claims: Json<Record<string, unknown> | null>
  vanished_at: MaybeTime
  times_vanished: Generated<number>
}

/** One thing that is not as it must be. Its code says what, its subject where; amounts are micro-units as text. */
export interface ReconciliationFinding {
  code:
    | 'ledger/unbalanced'
    | 'ledger/account'
    | 'escrow/balance'
    | 'escrow/owed'
    | 'wallet/balance'
    | 'hold/terms'
    | 'hold/order'
    | 'hold/state'
    | 'claimable/chain'
  /** An address, or an account's owner. */
  subject: string
  booked: string
  expected: string
  /** The id of the account, which is looked at again whichever are next. */
  account?: string
}

/**
 * What is missing somewhere, in micro-units as text. `alarmed`: as much was said before. `pending`: so much is missing,
 * which is more, ever since the newest block was `head`.
 */
export interface KnownShortage {
  alarmed: string
  pending: { micros: string; head: string } | null
}

interface ChainProgress {
  singleton: Generated<boolean>
  block_number: bigint
  block_hash: string
  incarnation: string
  settled_at: Time
}

interface Reconciliations {
  id: Generated<bigint>
  checked_at: Time
  incarnation: string
  block_number: bigint
  block_hash: string
  lag_blocks: bigint
  lag_seconds: bigint
  is_ok: boolean
  figures: Json<Record<'booked' | 'seen', Record<'escrowMicros' | 'owedMicros' | 'walletMicros', string>>>
  findings: Json<ReconciliationFinding[]>
  differs_since_head: bigint | null
  shortages: Json<Partial<Record<'hot_wallet' | 'escrow', KnownShortage>>>
  horizon: string
  below: Json<Record<string, string>>
  account_cursor: bigint
  swept_at: Date
}

interface Exports {
  id: string
  human_id: string
  state: 'pending' | 'ready' | 'expired'
  next_section: Generated<number>
  after_id: string | null
  chunks: Generated<number>
  size_bytes: Generated<bigint>
  sha256: string | null
  created_at: Time
  finished_at: MaybeTime
  expires_at: MaybeTime
}

interface ExportChunks {
  export_id: string
  sequence: number
  bytes: Buffer
  blob_id: string | null
}

interface BlobRemovals {
  blob_id: string
  created_at: Time
}

export type OrgRole = 'owner' | 'admin' | 'member'

interface Orgs {
  id: string
  slug: string
  display_name: string
  created_at: Time
}

interface OrgMembers {
  org_id: string
  human_id: string
  role: OrgRole
  joined_at: Time
}

interface OrgInvitations {
  org_id: string
  human_id: string
  role: OrgRole
  invited_by: string
  created_at: Time
  expires_at: Date
}

interface FacilitatorHeartbeat {
  singleton: boolean
  beat_at: Date
}

interface FacilitatorOutcomes {
  intent_id: string
  status: 'confirmed' | 'failed' | 'refused'
  reason: string | null
  tx_hash: string | null
  decided_at: Date
}

interface LedgerAccounts {
  id: Generated<bigint>
  asset: string
  kind: string
  owner: string
  is_append_only: Generated<boolean>
  balance: Generated<bigint>
}

interface LedgerTransfers {
  id: Generated<bigint>
  transaction_id: Generated<string>
  key: string
  kind: string
  order_id: string | null
  evidence: Json<Record<string, unknown>>
  created_at: Time
}

interface LedgerEntries {
  id: Generated<bigint>
  transfer_id: bigint
  account_id: bigint
  amount: bigint
  balance_after: bigint | null
  created_at: Time
}

interface LedgerSnapshots {
  account_id: bigint
  through: Date
  balance: bigint
  last_entry_id: bigint
}

interface Liabilities {
  block_number: bigint
  document: Json<Record<string, unknown>>
  key_id: string
  signature: string
  has_tree: Generated<boolean>
  created_at: Time
}

interface LiabilityLeaves {
  block_number: bigint
  account_id: bigint
  position: bigint
  amount: bigint
  salt: Buffer
}

interface LiabilityNodes {
  block_number: bigint
  level: number
  page: number
  nodes: Buffer
}

/** Every table the API and the worker use. The migrations are the truth; this is their shape in TypeScript. */
interface PayoutStops {
  id: string
  place: Generated<'hot_wallet' | 'escrow'>
  fact: string | null
  reason: string
  raised_by: string
  raised_at: Time
  lifted_by: string | null
  lifted_at: MaybeTime
  explanation: string | null
  explained_by: string | null
  explained_at: MaybeTime
}

export interface Database {
  'market.events': Events
  'market.audit_log': AuditLog
  'market.audit_accounts': AuditAccounts
  'market.idempotent_answers': IdempotentAnswers
  'market.intents': Intents
  'market.humans': Humans
  'market.agents': Agents
  'market.passkeys': Passkeys
  'market.passkey_challenges': PasskeyChallenges
  'market.sessions': Sessions
  'market.agent_tickets': AgentTickets
  'market.enrolments': Enrolments
  'market.tokens': Tokens
  'market.wallet_challenges': WalletChallenges
  'market.wallet_owners': WalletOwners
  'market.wallets': Wallets
  'market.asks': Asks
  'market.ask_versions': AskVersions
  'market.search_words': SearchWords
  'market.bids': Bids
  'market.quotes': Quotes
  'market.orders': Orders
  'market.authorizations': Authorizations
  'market.deposits': Deposits
  'market.holds': Holds
  'market.strays': Strays
  'market.threads': Threads
  'market.messages': Messages
  'market.agent_keys': AgentKeys
  'market.disclosures': Disclosures
  'market.deliveries': Deliveries
  'market.acceptances': Acceptances
  'market.receipts': Receipts
  'market.payouts': Payouts
  'market.payout_stops': PayoutStops
  'market.chain_progress': ChainProgress
  'market.reconciliations': Reconciliations
  'market.sweeps': Sweeps
  'market.hot_wallet': HotWallet
  'market.settled_events': SettledEvents
  'market.exports': Exports
  'market.export_chunks': ExportChunks
  'market.blob_removals': BlobRemovals
  'market.orgs': Orgs
  'market.org_members': OrgMembers
  'market.org_invitations': OrgInvitations
  'market.liabilities': Liabilities
  'market.liability_leaves': LiabilityLeaves
  'market.liability_nodes': LiabilityNodes
  'facilitator.heartbeat': FacilitatorHeartbeat
  'facilitator.outcomes': FacilitatorOutcomes
  'ledger.accounts': LedgerAccounts
  'ledger.transfers': LedgerTransfers
  'ledger.entries': LedgerEntries
  'ledger.snapshots': LedgerSnapshots
}
