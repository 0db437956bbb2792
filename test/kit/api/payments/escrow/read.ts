import { sql } from 'kysely'
import { balanceAsOf } from '../../../../../api/payments/ledger/balances.ts'
import type { AccountKind } from '../../../../../api/payments/ledger/generated/accountKinds.ts'
import type { Trade, World } from './world.ts'

// What a test asks the market for.

export async function orderOf({ db }: World, { orderId }: Trade) {
  return db.selectFrom('market.orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
}

export async function holdOf({ db }: World, { orderId }: Trade) {
  return db.selectFrom('market.holds').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

export async function receiptOf({ db }: World, { orderId }: Trade) {
  return db.selectFrom('market.receipts').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

export async function authorizationsOf({ db }: World, { orderId }: Trade) {
  const rows = await db.selectFrom('market.authorizations').selectAll().where('order_id', '=', orderId).execute()
  return rows.map(({ payer, state }) => ({ payer, state }))
}

export async function payoutsOf({ db }: World, payer: string) {
  return db
    .selectFrom('market.payouts')
    .selectAll()
    .where('deposit_from', '=', payer)
    .orderBy('leg')
    .orderBy('id')
    .execute()
}

export async function strayOf({ db }: World, key: string) {
  return db.selectFrom('market.unmatched_payments').selectAll().where('key', '=', key).executeTakeFirst()
}

/** Every intent whose payload or key mentions this text (an order, an address, a hash), oldest first. */
export async function intentsAbout({ db }: World, text: string) {
  const { rows } = await sql<{
    id: string
    key: string
    attempt: number
    kind: string
    payload: Record<string, unknown>
    closing: string | null
  }>`
    select id, key, attempt, kind, payload, closing from market.intents
    where key like ${`%${text}%`} or order_id::text = ${text} or payload::text ilike ${`%${text}%`}
    order by id`.execute(db)
  return rows
}

/** The types of the events about an order, in the order they were written. */
export async function eventsOf({ db }: World, { orderId }: Trade): Promise<string[]> {
  const { rows } = await sql<{ event_type: string }>`
    select event_type from market.events where payload->>'order_urn' = ${`market:order:${orderId}`} order by id`.execute(
    db,
  )
  return rows.map((row) => row.event_type)
}

/** The balance of one account, its owner as findings name it; undefined where it was never opened. */
export async function balance({ db }: World, kind: AccountKind, owner: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ micros: bigint }>`
    select coalesce(balance, ${balanceAsOf({})}) as micros from ledger.accounts account
    where kind = ${kind} and ledger.owner_name(owner_type, owner_id) = ${owner.toLowerCase()}`.execute(db)
  return rows[0]?.micros
}
