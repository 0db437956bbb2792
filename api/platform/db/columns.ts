import type { ColumnType } from 'kysely'
import type { SigningPurpose } from '../../../protocol/keys/signing.ts'

/** A column with a default. */
export type Defaulted<Select, Insert = Select> = ColumnType<Select, Insert | undefined, Insert>

/** A column of JSON: pg returns the parsed value, and takes the text. */
export type Json<Value, Insert = JsonText<Value>> = ColumnType<Value, Insert, JsonText<Value>>
export type JsonText<Value> = null extends Value ? string | null : string

/** A date, read and written as 2026-05-17. */
export type Day<Nullable = never> = ColumnType<string | Nullable, string | Nullable, string | Nullable>

/** A date with a default. */
export type DefaultedDay = ColumnType<string, string | undefined, string>

/** pg returns each element of int8[] as text. */
export type BigintArray = ColumnType<string[], bigint[], bigint[]>

/** The relation to its subject for which an account is notified. */
export type NotificationRole =
  | 'author'
  | 'assignee'
  | 'approver'
  | 'mentioned'
  | 'watcher'
  | 'admin'
  | 'invited'
  | 'buyer'
  | 'seller'
  | 'payee'

/** A channel of notifications. */
export type NotificationChannel = 'in_app' | 'push' | 'email'

/** An attempt of a delivery: the status of the answer, or why there was none. */
export interface LoggedAttempt {
  attempted_at: string
  status_code: number | null
  latency_ms: number
  failure: string | null
}

/** One discrepancy. Its code names the kind, its subject the place; amounts are micro-units as text. */
export interface ReconciliationFinding {
  code:
    | 'ledger/unbalanced'
    | 'ledger/account'
    | 'ledger/transfer'
    | 'escrow/balance'
    | 'escrow/owed'
    | 'wallet/balance'
    | 'hold/terms'
    | 'hold/order'
    | 'hold/split'
    | 'hold/state'
    | 'receipt/differs'
    | 'payout/owed'
    | 'payout/differs'
    | 'claimable/chain'
  /** An address, or the owner of an account. */
  subject: string
  booked: string
  expected: string
  /** The id of the account. It is checked again in the next comparison. */
  account?: string
  /** The id of the transfer, likewise. */
  transfer?: string
}

/**
 * A shortage, in micro-units as text. `alarmed`: the amount that was already reported. `pending`: the larger
 * amount that has been missing ever since the newest block was `head`.
 */
export interface KnownShortage {
  alarmed: string
  pending: { micros: string; head: string } | null
}

interface Screening {
  score: number
  families: string[]
}

/**
 * Type information that the database lacks: the content of JSON columns, texts whose values no CHECK lists,
 * columns of views that are never null, columns that a trigger fills in. Other JSON is a `Record<string,
 * unknown>`. `./market generate` reads the names, and adds null for nullable columns.
 */
export interface DeclaredColumns {
  'market.appeal_statements.screening': Screening
  /** Criteria as a verb stored them: `api/trading/criteria/schema.ts`. */
  'market.ask_versions.criteria': object[]
  'market.asks.criteria': object[]
  /** A value that an order's input may have. */
  'market.asks.input_example': unknown
  'market.ask_versions.input_example': unknown
  'market.asks.input': 'none' | 'optional' | 'required'
  'market.ask_versions.input': 'none' | 'optional' | 'required'
  'market.bids.criteria': object[]
  'market.quotes.criteria': object[]
  'market.comments.anchor': { quote: string; before: string; after: string; start: number; isOnly: boolean }
  /** `CheckResult`s of `api/trading/criteria/results.ts`. */
  'market.delivery_checks.results': object[]
  'market.evidence_files.screening': Screening
  'market.humans.person_id': Defaulted<string>
  'market.idempotent_answers.headers': Record<string, string>
  'market.kept_blobs.id': string
  'market.notification_prefs.hidden_roles': { role: NotificationRole; until: string }[]
  'market.notification_prefs.kinds': { kind: string; channels: NotificationChannel[]; in_quiet_hours: boolean }[]
  'market.notifications.role': NotificationRole
  'market.passkey_challenges.profile': { displayName: string; email: string }
  'market.reconciliations.below': Record<string, string>
  'market.reconciliations.figures': Record<
    'booked' | 'seen',
    Record<'escrowMicros' | 'owedMicros' | 'walletMicros', string>
  >
  'market.reconciliations.findings': ReconciliationFinding[]
  'market.reconciliations.shortages': Partial<Record<'hot_wallet' | 'escrow', KnownShortage>>
  'market.signing_keys.purpose': SigningPurpose
  'market.uploads.metadata': Record<string, string | null>
  'market.webhook_deliveries.attempt_log': LoggedAttempt[]
  'market.webhook_deliveries.last_headers': Record<string, string>
}
