import { sql } from 'kysely'
import { inTransaction } from '../db/transaction.ts'
import { acceptOrder } from '../orders/accept.ts'
import { breachSla } from '../orders/breach.ts'
import { refundExpired } from '../orders/refundExpired.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 100

/** Accepts the deliveries nobody decided on in time (spec 3.1). */
export async function acceptUndecided(services: JobServices): Promise<void> {
  const { db, settings } = services
  const due = await db
    .selectFrom('market.orders')
    .select('id')
    .where('state', '=', 'delivered')
    .where('accept_by', '<=', sql<Date>`market.now()`)
    .where('suspended_at', 'is', null)
    .orderBy('accept_by')
    .limit(AT_ONCE)
    .execute()
  await forEach(services, 'auto-acceptance', due, ({ id }) =>
    inTransaction(db, 'read write', (tx) => acceptOrder(tx, settings, id, 'service')),
  )
}

/** Tells, once, of each order whose seller is past its SLA. */
export async function announceBreaches(services: JobServices): Promise<void> {
  const { db } = services
  const due = await db
    .selectFrom('market.orders')
    .select('id')
    .where('state', 'in', ['funded', 'in_flight'])
    .where('sla_breached_at', 'is', null)
    .where('sla_due_at', '<=', sql<Date>`market.now()`)
    .where('suspended_at', 'is', null)
    .orderBy('sla_due_at')
    .limit(AT_ONCE)
    .execute()
  await forEach(services, 'SLA breach', due, ({ id }) => inTransaction(db, 'read write', (tx) => breachSla(tx, id)))
}

/** Refunds the custodied payments whose hold has expired with the order still open. */
export async function refundExpiredHolds(services: JobServices): Promise<void> {
  const { db, settings } = services
  const due = await db
    .selectFrom('market.orders')
    .select('id')
    .where('escrow_mode', '=', 'custodied')
    .where('state', 'in', ['funded', 'in_flight', 'delivered', 'rejected', 'disputed'])
    .where('expires_at', '<=', sql<Date>`market.now()`)
    .where('suspended_at', 'is', null)
    .orderBy('expires_at')
    .limit(AT_ONCE)
    .execute()
  await forEach(services, 'hold expiry', due, ({ id }) =>
    inTransaction(db, 'read write', (tx) => refundExpired(tx, settings, id)),
  )
}
