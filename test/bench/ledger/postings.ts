import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { emitAudited } from '../../../api/db/act.ts'
import { type AuditEntry, audit } from '../../../api/db/audit.ts'
import { type EventInput, emit } from '../../../api/db/events.ts'
import { gather } from '../../../api/db/gather.ts'
import { type Db, openPool } from '../../../api/db/pool.ts'
import { demandedStatement, statement } from '../../../api/db/statement.ts'
import { inTransaction } from '../../../api/db/transaction.ts'
import { type Leg, type Posting, post } from '../../../api/ledger/post.ts'
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
  await sql`insert into ledger.accounts (asset, kind, owner, balance)
    select ${ASSET}, kind, 'market:human:' || lpad(number::text, 36, '0'), ${OPENING_MICROS}
    from unnest('{payable,hold,in_transit}'::text[]) kind, generate_series(1, ${ACCOUNTS}::integer) number`.execute(db)
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

/** The same, many in one transaction, as settle posts them. */
export function batchedPosting(db: Db): Contestant {
  const transaction = async () => {
    await inTransaction(db, 'read write', (tx) =>
      gather(tx, async () => {
        for (const posting of many(newTransfer)) await post(tx, posting)
      }),
    )
    return BATCH
  }
  return { transaction }
}

/** A verb: a conditional UPDATE, and beside it a posting, an event and an audit entry. */
export function verb(db: Db): Contestant {
  return { transaction: () => runVerb(db) }
}

/** The same of many things in one transaction. */
export function batchedVerb(db: Db): Contestant {
  return { transaction: () => runVerbs(db) }
}

/** A hold is released: to a seller, and the fee to one account that all releases share. */
export function release(db: Db): Contestant {
  return releaseTo(db, () => ({ kind: 'fees', owner: 'service' }))
}

/** The same, with the fee to one of many accounts. */
export function spreadRelease(db: Db): Contestant {
  return releaseTo(db, () => ({ kind: 'in_transit', owner: ownerOf(upTo(ACCOUNTS)) }))
}

function releaseTo(db: Db, feeAccount: () => Omit<Leg, 'amountMicros'>): Contestant {
  const legs = (): Leg[] => [
    { kind: 'hold', owner: ownerOf(upTo(ACCOUNTS)), amountMicros: -20n },
    { kind: 'payable', owner: ownerOf(upTo(ACCOUNTS)), amountMicros: 19n },
    { ...feeAccount(), amountMicros: 1n },
  ]
  return {
    transaction: async () => {
      await inTransaction(db, 'read write', (tx) => post(tx, newPosting(legs())))
      return 1
    },
  }
}

const move = demandedStatement('update bench.things set state = 1 - state where id = $1 and state in (0, 1)')

async function runVerb(db: Db): Promise<number> {
  return inTransaction(db, 'read write', async (tx) => {
    const id = upTo(ACCOUNTS)
    await move(tx, [id], () => new Error('the thing could not be moved'))
    await post(tx, newTransfer())
    const { event, entry } = actOn(id)
    await emitAudited(tx, event, entry)
    return 1
  })
}

const moveMany = statement<{ id: number }>(`
  update bench.things thing set state = 1 - thing.state
  from (select id from bench.things where id = any($1::integer[]) order by id for no key update) held
  where thing.id = held.id and thing.state in (0, 1) returning thing.id`)

async function runVerbs(db: Db): Promise<number> {
  return inTransaction(db, 'read write', async (tx) => {
    const things = await moveMany(tx, [[...new Set(many(() => upTo(ACCOUNTS)))]])
    await gather(tx, async () => {
      for (const { id } of things) {
        await post(tx, newTransfer())
        const { event, entry } = actOn(id)
        await emit(tx, event)
        await audit(tx, entry)
      }
    })
    return things.length
  })
}

function actOn(id: number): { event: EventInput; entry: AuditEntry } {
  const subject = `market:order:${randomUUID()}`
  return {
    event: {
      type: 'order.accepted',
      payload: { order_urn: subject, state: 'accepted', place: id },
      visibleTo: [randomUUID(), randomUUID()],
    },
    entry: { actor: 'service', action: 'order.accept', subject, details: { place: id } },
  }
}

/** A transfer between two of the accounts. */
export function newTransfer(): Posting {
  const from = upTo(ACCOUNTS)
  const to = 1 + ((from + upTo(ACCOUNTS - 1) - 1) % ACCOUNTS)
  return newPosting([
    { kind: 'payable', owner: ownerOf(from), amountMicros: -1n },
    { kind: 'payable', owner: ownerOf(to), amountMicros: 1n },
  ])
}

function newPosting(legs: readonly Leg[]): Posting {
  const [id, orderId] = [newId(), newId()]
  return { key: `payout:${id}:sent#1`, kind: 'payout_moved', orderId, asset: ASSET, evidence: { payout: id }, legs }
}

const SERIES = uuidv7().slice(0, -12)
let made = 0

/** As production's are, each greater than those before. There they were made in an earlier transaction, so to make one costs nothing. */
function newId(): string {
  return SERIES + (made++).toString(16).padStart(12, '0')
}

function many<Item>(make: () => Item): Item[] {
  return Array.from({ length: BATCH }, make)
}

// Made beforehand: in production they are read, or known, before anything is posted.
const OWNERS = Array.from({ length: ACCOUNTS }, (_, index) => `market:human:${String(index + 1).padStart(36, '0')}`)

function ownerOf(index: number): string {
  return OWNERS[index - 1] as string
}
