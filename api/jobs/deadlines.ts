import { type SelectQueryBuilder, sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { inTransaction } from '../db/transaction.ts'
import { acceptOrder } from '../orders/accept.ts'
import { breachSla } from '../orders/breach.ts'
import { refundExpired } from '../orders/refundExpired.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

const AT_A_TIME = 100
// As many transactions side by side: each waits for the disk most of its time.
const LANES = 4

type DueQuery = SelectQueryBuilder<Database, 'market.orders', { id: string }>

/** Accepts the deliveries nobody decided on in time (spec 3.1). */
export async function acceptUndecided(services: JobServices): Promise<void> {
  const { db, settings } = services
  const due = db
    .selectFrom('market.orders')
    .select('id')
    .where('state', '=', 'delivered')
    .where('accept_by', '<=', sql<Date>`market.now()`)
    .orderBy('accept_by')
  await untilNoneIsDue(services, 'auto-acceptance', due, (tx, id) => acceptOrder(tx, settings, id, 'service'))
}

/** Tells, once, of each order whose seller is past its SLA. */
export async function announceBreaches(services: JobServices): Promise<void> {
  const due = services.db
    .selectFrom('market.orders')
    .select('id')
    .where('state', 'in', ['funded', 'in_flight'])
    .where('sla_breached_at', 'is', null)
    .where('sla_due_at', '<=', sql<Date>`market.now()`)
    .orderBy('sla_due_at')
  await untilNoneIsDue(services, 'SLA breach', due, breachSla)
}

/** Refunds the custodied payments whose hold has expired with the order still open. */
export async function refundExpiredHolds(services: JobServices): Promise<void> {
  const { db, settings } = services
  const due = db
    .selectFrom('market.orders')
    .select('id')
    .where('escrow_mode', '=', 'custodied')
    .where('state', 'in', ['funded', 'in_flight', 'delivered', 'rejected', 'disputed'])
    .where('expires_at', '<=', sql<Date>`market.now()`)
    .orderBy('expires_at')
  await untilNoneIsDue(services, 'hold expiry', due, (tx, id) => refundExpired(tx, settings, id))
}

/**
 * Acts on every order that is due, however many, each in a transaction of its own. An order that somebody is at work on
 * is passed over: it is due again at the next pass, if it still is. One that fails is not tried twice in a pass.
 */
async function untilNoneIsDue(
  services: JobServices,
  what: string,
  due: DueQuery,
  act: (tx: Tx, id: string) => Promise<boolean>,
): Promise<void> {
  const passedOver: string[] = []
  for (;;) {
    const found = await due
      .where('suspended_at', 'is', null)
      .$if(passedOver.length > 0, (query) => query.where('id', 'not in', passedOver))
      .limit(AT_A_TIME)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    if (found.length === 0) return
    const one = async ({ id }: { id: string }) => {
      if (!(await inTransaction(services.db, 'read write', (tx) => act(tx, id)))) passedOver.push(id)
    }
    const failed = await forEach(services, what, found, one, LANES)
    passedOver.push(...failed.map(({ id }) => id))
  }
}
