import { type SelectQueryBuilder, sql } from 'kysely'
import { untilMs } from '../../../platform/db/clock.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { actOnDue } from '../../../platform/jobs/due.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { acceptUndecided as accept } from './accept.ts'
import { breachSla } from './internal/breach.ts'
import { refundExpired } from './internal/refundExpired.ts'

/** The orders that wait for a deadline, and the column that holds it. */
export interface Deadline {
  column: 'accept_by' | 'remind_at' | 'sla_due_at' | 'redeliver_by' | 'expires_at'
  orders: (db: Db) => SelectQueryBuilder<Database, 'market.orders', object>
}

const acceptance: Deadline = {
  column: 'accept_by',
  orders: (db) => db.selectFrom('market.orders').where('state', '=', 'delivered'),
}
const breach: Deadline = {
  column: 'sla_due_at',
  orders: (db) =>
    db.selectFrom('market.orders').where('state', 'in', ['funded', 'in_flight']).where('sla_breached_at', 'is', null),
}
// A disputed one is not refunded: its dispute decides, or the buyer would win by waiting.
const holdExpiry: Deadline = {
  column: 'expires_at',
  orders: (db) =>
    db
      .selectFrom('market.orders')
      .where('escrow_mode', '=', 'custodied')
      .where('state', 'in', ['funded', 'in_flight', 'delivered', 'rejected']),
}

/** Accepts the deliveries that were not decided on in time (spec 3.1). */
export function acceptUndecided(services: JobServices): Promise<void> {
  const { settings } = services
  return untilNoneIsDue(services, 'auto-acceptance', acceptance, (tx, id) => accept(tx, settings, id))
}

/** Announces, once, each order whose seller has missed its SLA. */
export function announceBreaches(services: JobServices): Promise<void> {
  return untilNoneIsDue(services, 'SLA breach', breach, breachSla)
}

/** Refunds the custodied payments whose hold expired while the order was open. */
export function refundExpiredHolds(services: JobServices): Promise<void> {
  const { settings } = services
  return untilNoneIsDue(services, 'hold expiry', holdExpiry, (tx, id) => refundExpired(tx, settings, id))
}

/** Returns the milliseconds until the next delivery is accepted for its buyer. */
export const nextAcceptanceInMs = ({ db }: JobServices) => untilNext(db, acceptance)
/** Returns the milliseconds until the next seller misses its SLA. */
export const nextBreachInMs = ({ db }: JobServices) => untilNext(db, breach)
/** Returns the milliseconds until the next custodied hold expires. */
export const nextHoldExpiryInMs = ({ db }: JobServices) => untilNext(db, holdExpiry)

/** Returns the milliseconds until the next order is due, or undefined if none waits. */
export async function untilNext(db: Db, { orders, column }: Deadline): Promise<number | undefined> {
  const next = await orders(db)
    .select(untilMs(column).as('ms'))
    .where('suspended_at', 'is', null)
    .where(column, 'is not', null)
    .orderBy(column)
    .limit(1)
    .executeTakeFirst()
  return next?.ms
}

/** Acts on every order that is due. An order that another transaction has locked is left to the next run. */
export async function untilNoneIsDue(
  services: JobServices,
  what: string,
  { orders, column }: Deadline,
  act: (tx: Tx, id: string) => Promise<boolean>,
): Promise<void> {
  const find = (passedOver: readonly string[], limit: number) =>
    orders(services.db)
      .select('id')
      .where('suspended_at', 'is', null)
      .where(column, '<=', sql<Date>`market.now()`)
      .orderBy(column)
      .$if(passedOver.length > 0, (query) => query.where('id', 'not in', passedOver))
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
  await actOnDue(services, what, find, act)
}
