import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { balanceAsOf } from '../../../../../api/payments/ledger/balances.ts'
import type { AccountKind, OwnerType } from '../../../../../api/payments/ledger/generated/accountKinds.ts'
import { type Leg, type Owner, type Posting, postAll } from '../../../../../api/payments/ledger/post.ts'
import { type Db, openPool } from '../../../../../api/platform/db/pool.ts'
import { inTransaction } from '../../../../../api/platform/db/transaction.ts'
import { startDatabase } from '../../../stack/database.ts'

// Books of a test's own, with nothing around them: no orders, no chain.

export const ASSET = 'eip155:31337/0x5fbdb2315678afecb367f032d93f642f64180aa3'

export const CHECK_VIOLATION = '23514'
export const INTEGRITY_VIOLATION = '23000'

let postings = 0

/** A key that nothing was posted under. */
export function newKey(): string {
  return `test:${postings++}`
}

// Who owns an account of each kind here.
const OWNER_TYPES: Record<AccountKind, OwnerType> = {
  ...{ escrow_contract: 'address', hot_wallet: 'address', cold_wallet: 'address', claimable: 'address' },
  ...{ loss: 'event', suspense: 'event', fees: 'service' },
  ...{ hold: 'order', payable: 'human', in_transit: 'payout' },
}

function ownerOf(kind: AccountKind, name: string): Owner {
  return { type: OWNER_TYPES[kind], id: ownerId(OWNER_TYPES[kind], name) }
}

/** The id of an owner whom a test gives a name; an id stays as it is. Ids sort as the names do. */
export function ownerId(type: string, name: string): string {
  if (type === 'service') return 'service'
  if (type === 'event') return name.includes(':') ? name : `test:${name}`
  if (/^0x[0-9a-f]+$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)) return name
  const hex = Buffer.from(name).toString('hex')
  if (hex.length > 32) throw new Error(`${name} is too long for the name of an owner`)
  if (type === 'hold' || type === 'address') return `0x${hex.padEnd(type === 'hold' ? 64 : 40, '0')}`
  return hex.padEnd(32, '0').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export function leg(kind: AccountKind, owner: string, amountMicros: bigint): Leg {
  return { kind, owner: ownerOf(kind, owner), amountMicros }
}

/** A leg as the function takes it, unchecked and unmerged. */
export function rawLeg(owner: string, amount: bigint | undefined, kind = 'payable', type = 'human') {
  return { kind, owner_type: type, owner_id: ownerId(type, owner), amount: amount?.toString() }
}

/** Posts one transfer by the function itself, its legs as they are. */
export async function bookRaw(db: Db, legs: readonly ReturnType<typeof rawLeg>[], key = newKey()): Promise<boolean> {
  const transfer = { key, kind: 'test', order_id: null, asset: ASSET, evidence: {}, legs }
  const { rows } = await sql<{ posted: boolean[] }>`
    select ledger.post_transfers(${JSON.stringify([transfer])}::jsonb) as posted`.execute(db)
  return rows[0]?.posted[0] === true
}

export function posting(legs: Leg[]): Posting {
  return { key: newKey(), kind: 'test', orderId: null, asset: ASSET, evidence: {}, legs }
}

/** What one is owed becomes another's. */
export function payment(from: string, to: string, amountMicros: bigint): Posting {
  return posting([leg('payable', from, -amountMicros), leg('payable', to, amountMicros)])
}

export async function startBooks(): Promise<{ db: Db; stop: () => Promise<void> }> {
  const database = await startDatabase()
  const db = openPool(database.url, { max: 10, onError: () => {} })
  return {
    db,
    stop: async () => {
      await db.destroy()
      await database.stop()
    },
  }
}

/** Posts all in one statement. Returns for each whether it was posted: false where its key was before. */
export function bookAll(db: Db, given: readonly Posting[]): Promise<boolean[]> {
  return inTransaction(db, 'read write', (tx) => postAll(tx, given))
}

export async function book(db: Db, given: Posting): Promise<boolean | undefined> {
  return (await bookAll(db, [given]))[0]
}

/** Money comes in, and is owed to somebody. */
export function deposit(db: Db, owner: string, amountMicros: bigint): Promise<boolean | undefined> {
  return book(db, posting([leg('hot_wallet', 'wallet', -amountMicros), leg('payable', owner, amountMicros)]))
}

/** Owes an owner something more or, below zero, less, in any asset. */
export async function owe(db: Db, asset: string, to: readonly Omit<Leg, 'amountMicros'>[], amountMicros: bigint) {
  const legs = to.map((account) => ({ ...account, amountMicros }))
  const lost = leg('loss', 'test:owed', -amountMicros * BigInt(to.length))
  await bookAll(db, [{ ...posting([...legs, lost]), key: `owed:${randomUUID()}`, asset }])
}

/** The balance of an owner's account of a kind; by default, the only one. Undefined where there is none. */
export async function balance(db: Db, owner: string, kind?: AccountKind): Promise<bigint | undefined> {
  const types = kind ? [OWNER_TYPES[kind]] : (['address', 'event', 'human', 'order'] as const)
  const { rows } = await sql<{ micros: bigint }>`
    select coalesce(balance, ${balanceAsOf({})}) as micros from ledger.accounts account
    where owner_id = any(${types.map((type) => ownerId(type, owner))}::text[]) and kind = coalesce(${kind ?? null}, kind)`.execute(
    db,
  )
  return rows[0]?.micros
}

/** The database's code of an error. */
export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}

/** The code that something fails with; undefined where it does not. */
export function refusal(given: Promise<unknown>): Promise<string | undefined> {
  return given.then(() => undefined, codeOf)
}

/** Accounts whose balance is not the sum of their entries, and transfers that do not sum to zero. */
export async function drifted(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select account.id from ledger.accounts account left join ledger.entries entry on entry.account_id = account.id
      where account.balance is not null group by account.id having coalesce(sum(entry.amount), 0) <> account.balance
    union all
    select transfer_id from ledger.entries group by transfer_id having sum(amount) <> 0`.execute(db)
  return rows
}
