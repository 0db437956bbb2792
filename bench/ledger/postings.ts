import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Leg, type Owner, type Posting, post, postAll } from '../../api/payments/ledger/post.ts'
import { audit } from '../../api/platform/audit/audit.ts'
import { type Db, openPool } from '../../api/platform/db/pool.ts'
import { inTransaction } from '../../api/platform/db/transaction.ts'
import { emit } from '../../api/platform/events/emit.ts'
import { orderEvents } from '../../api/trading/orders/record/module.ts'
import type { Contestant } from './contest.ts'
import { upTo } from './tpcb.ts'

const ASSET = 'eip155:8453/0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const ACCOUNTS = 100_000
const BATCH = 100
const OPENING_MICROS = 1_000_000_000_000n

/** Accounts, half as many as TPC-B has, with money on each, and things whose state a verb changes. */
export async function openBooks(databaseUrl: string, clients: number): Promise<Db> {
  const db = openPool(databaseUrl, { max: clients, onError: () => {} })
  // Not posted: that would take longer than all the rest, and what was before does not matter here.
  await db.transaction().execute(async (tx) => {
    await sql`set local ledger.is_posting = 'on'`.execute(tx)
    await sql`insert into ledger.accounts (asset, kind, owner_type, owner_id, balance)
      select ${ASSET}, kind, type, lpad(number::text, 36, '0'), ${OPENING_MICROS}
      from (values ('payable', 'human'), ('hold', 'order'), ('in_transit', 'payout')) kinds (kind, type),
        generate_series(1, ${ACCOUNTS}::integer) number`.execute(tx)
  })
  await sql`create schema bench`.execute(db)
  await sql`create table bench.things (id integer primary key, state integer not null) with (fillfactor = 50)`.execute(
    db,
  )
  await sql`insert into bench.things select id, 0 from generate_series(1, ${ACCOUNTS}::integer) id`.execute(db)
  await sql`vacuum analyze`.execute(db)
  return db
}

/** A transfer between two of the accounts, and nothing else. */
export function posting(db: Db): Contestant {
  const transaction = async () => {
    await inTransaction(db, 'read write', (tx) => post(tx, newTransfer()))
    return 1
  }
  return { transaction }
}

/** The same, many in one statement. */
export function batchedPosting(db: Db): Contestant {
  const transaction = async () => {
    await inTransaction(db, 'read write', (tx) => postAll(tx, many(newTransfer)))
    return BATCH
  }
  return { transaction }
}

/** A verb: a conditional UPDATE, and beside it a posting, an event and an audit entry. */
export function verb(db: Db): Contestant {
  return { transaction: () => runVerb(db) }
}

/** A hold is released: to a seller, and the fee to one account that all releases share. */
export function release(db: Db): Contestant {
  return releaseTo(db, () => ({ kind: 'fees', owner: { type: 'service', id: 'service' } }))
}

/** The same, with the fee to one of many accounts. */
export function spreadRelease(db: Db): Contestant {
  return releaseTo(db, () => ({ kind: 'in_transit', owner: ownerOf('payout', upTo(ACCOUNTS)) }))
}

function releaseTo(db: Db, feeAccount: () => Omit<Leg, 'amountMicros'>): Contestant {
  const legs = (): Leg[] => [
    { kind: 'hold', owner: ownerOf('order', upTo(ACCOUNTS)), amountMicros: -20n },
    { kind: 'payable', owner: ownerOf('human', upTo(ACCOUNTS)), amountMicros: 19n },
    { ...feeAccount(), amountMicros: 1n },
  ]
  return {
    transaction: async () => {
      await inTransaction(db, 'read write', (tx) => post(tx, newPosting(legs())))
      return 1
    },
  }
}

async function runVerb(db: Db): Promise<number> {
  return inTransaction(db, 'read write', async (tx) => {
    const id = upTo(ACCOUNTS)
    await sql`update bench.things set state = 1 - state where id = ${id} and state in (0, 1)`.execute(tx)
    await post(tx, newTransfer())
    const { event, entry } = actOn(id)
    await emit(tx, orderEvents['order.accepted'], event)
    await audit(tx, entry)
    return 1
  })
}

const ORDER = {
  state: 'accepted' as const,
  price: '20.000000',
  escrow_mode: 'custodied' as const,
  buyer_urn: `market:agent:${randomUUID()}`,
  seller_urn: `market:agent:${randomUUID()}`,
}

function actOn(id: number) {
  const subject = `market:order:${randomUUID()}`
  return {
    event: {
      payload: { order_urn: subject, ...ORDER },
      visibleTo: [randomUUID(), randomUUID()],
    },
    entry: { actor: 'service' as const, action: 'order.accept', subject, details: { place: id } },
  }
}

/** A transfer between two of the accounts. */
function newTransfer(): Posting {
  const from = upTo(ACCOUNTS)
  const to = 1 + ((from + upTo(ACCOUNTS - 1) - 1) % ACCOUNTS)
  return newPosting([
    { kind: 'payable', owner: ownerOf('human', from), amountMicros: -1n },
    { kind: 'payable', owner: ownerOf('human', to), amountMicros: 1n },
  ])
}

function newPosting(legs: readonly Leg[]): Posting {
  const [id, orderId] = [newId(), newId()]
  return { key: `payout:${id}:sent#1`, kind: 'payout_moved', orderId, asset: ASSET, evidence: { payout: id }, legs }
}

const SERIES = uuidv7().slice(0, -12)
let made = 0

/**
 * As production's are, each greater than those before. There they were made in an earlier transaction, so to
 * make one costs nothing.
 */
function newId(): string {
  return SERIES + (made++).toString(16).padStart(12, '0')
}

function many<Item>(make: () => Item): Item[] {
  return Array.from({ length: BATCH }, make)
}

function ownerOf(type: Owner['type'], index: number): Owner {
  return { type, id: String(index).padStart(36, '0') }
}
