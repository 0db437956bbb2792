import type { AccountsTables } from './schema/accounts.ts'
import type { DisputesTables } from './schema/disputes.ts'
import type { ExportsTables } from './schema/exports.ts'
import type { IntentsTables } from './schema/intents.ts'
import type { LedgerTables } from './schema/ledger.ts'
import type { LiabilitiesTables } from './schema/liabilities.ts'
import type { ListingsTables } from './schema/listings.ts'
import type { LogTables } from './schema/log.ts'
import type { NotificationsTables } from './schema/notifications.ts'
import type { OrdersTables } from './schema/orders.ts'
import type { OrgsTables } from './schema/orgs.ts'
import type { PaymentsTables } from './schema/payments.ts'
import type { PayoutsTables } from './schema/payouts.ts'
import type { ReceiptsTables } from './schema/receipts.ts'
import type { ReconciliationTables } from './schema/reconciliation.ts'
import type { ReputationTables } from './schema/reputation.ts'
import type { ThreadsTables } from './schema/threads.ts'
import type { WalletsTables } from './schema/wallets.ts'
import type { WebhooksTables } from './schema/webhooks.ts'
import type { WorkspaceTables } from './schema/workspace.ts'

/** Every table, by its schema and name. */
export interface Database
  extends AccountsTables,
    DisputesTables,
    ExportsTables,
    IntentsTables,
    LedgerTables,
    LiabilitiesTables,
    ListingsTables,
    LogTables,
    NotificationsTables,
    OrdersTables,
    OrgsTables,
    PaymentsTables,
    PayoutsTables,
    ReceiptsTables,
    ReconciliationTables,
    ReputationTables,
    ThreadsTables,
    WalletsTables,
    WebhooksTables,
    WorkspaceTables {}
