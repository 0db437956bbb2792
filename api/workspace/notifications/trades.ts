import { sql } from 'kysely'
import { parseUrn } from '../../../protocol/encoding/urn.ts'
import type { NotificationRole } from '../../platform/db/columns.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { consumeEvents } from '../../platform/events/consume.ts'
import type { Telling } from '../../platform/events/eventType.ts'
import type { LoggedEvent } from '../../platform/events/log.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { notify } from './notify.ts'

const PARTIES = ['buyer_urn', 'seller_urn'] as const
const ROLES: Readonly<Record<string, NotificationRole>> = { buyer_urn: 'buyer', seller_urn: 'seller' }

/** An event that notifies somebody. */
interface TellingEvent extends LoggedEvent {
  tells: Telling
}

/**
 * Notifies the people behind the agents of trades of new events in the log, each person once, and withdraws
 * notifications that ask for something that was done meanwhile.
 */
export async function tellOfTrades(services: JobServices): Promise<void> {
  const { db, settings } = services
  await consumeEvents(services, 'trade_notices', async (events) => {
    const telling = events.flatMap((event) => {
      const tells = settings.eventTypes[event.envelope.event_type]?.tells
      return tells ? [{ id: event.envelope.event_id, tell: (tx: Tx) => tell(tx, { ...event, tells }) }] : []
    })
    await forEach(services, 'trade notice', telling, ({ tell }) => inTransaction(db, 'read write', tell))
    await takeBack(db, events)
  })
}

async function tell(tx: Tx, { envelope, visibleTo, tells }: TellingEvent): Promise<void> {
  const { event_id: cause, event_type: name, payload } = envelope
  if (tells.exceptKinds?.includes(String(payload.kind))) return
  const entity = entityOf(payload)
  if (!entity) return
  const agent = tells.by === undefined ? undefined : parseUrn('agent', String(payload[tells.by]))
  const [doer] = agent === undefined ? [] : await ownersOf(tx, [agent])
  const by = doer === undefined ? null : { accountId: doer, urn: String(payload[String(tells.by)]) }
  for (const [role, recipients] of await recipientsOf(tx, tells, payload, visibleTo)) {
    const { isUrgent } = tells
    await notify(tx, { kind: { name, role }, orgId: null, spaceId: null, cause, by, recipients, entity, isUrgent })
  }
  await sql`delete from market.notifications told where cause = ${cause} and not market.is_current(told)`.execute(tx)
}

/** Returns the recipients of an event, by their role in the trade. */
async function recipientsOf(
  tx: Tx,
  { to }: Telling,
  payload: LoggedEvent['envelope']['payload'],
  visibleTo: readonly string[],
): Promise<[NotificationRole, string[]][]> {
  if (payload.buyer_urn === undefined) {
    const humans = await tx.selectFrom('market.humans').select('id').where('id', 'in', visibleTo).execute()
    return [['payee', humans.map(({ id }) => id)]]
  }
  const named = to?.flatMap((member) => payload[member] as string | string[]) ?? PARTIES.map((party) => payload[party])
  const told = PARTIES.filter((party) => named.includes(payload[party]))
  return Promise.all(
    told.map(async (party): Promise<[NotificationRole, string[]]> => {
      const agent = parseUrn('agent', String(payload[party]))
      return [ROLES[party] ?? 'payee', agent === undefined ? [] : await ownersOf(tx, [agent])]
    }),
  )
}

/** The thing that a notification links to: the order, a payout that belongs to no order, or a wallet. */
function entityOf(payload: LoggedEvent['envelope']['payload']) {
  for (const type of ['order', 'payout', 'wallet'] as const) {
    const id = parseUrn(type, String(payload[`${type}_urn`]))
    if (id !== undefined) return { type, id, short_id: null }
  }
  return undefined
}

async function ownersOf(tx: Tx, agents: readonly string[]): Promise<string[]> {
  const rows = await tx.selectFrom('market.agents').select('owner_id').where('id', 'in', agents).execute()
  return rows.map(({ owner_id }) => owner_id)
}

/** Withdraws notifications: one that has appeared is marked as read, and one that has not is deleted. */
async function takeBack(db: Db, events: readonly LoggedEvent[]): Promise<void> {
  const about = [...new Set(events.flatMap(({ envelope }) => entityOf(envelope.payload)?.id ?? []))]
  if (about.length === 0) return
  const isDone = sql`told.entity_id = any(${about}::uuid[]) and told.cause is not null and told.read_at is null
    and not market.is_current(told)`
  await sql`delete from market.notifications told where ${isDone} and told.due_at > market.now()`.execute(db)
  await sql`update market.notifications told set read_at = market.now() where ${isDone}`.execute(db)
}
