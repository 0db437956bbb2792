import { sql } from 'kysely'
import { gather } from '../../../api/db/gather.ts'
import { type Db, openPool } from '../../../api/db/pool.ts'
import { inTransaction } from '../../../api/db/transaction.ts'
import { balancesOf } from '../../../api/ledger/balances.ts'
import { type AccountKind, type Leg, type Posting, post } from '../../../api/ledger/post.ts'
import { startDatabase } from '../../stack/database.ts'

// Books of a test's own, with nothing around them: no orders, no chain.

export const ASSET = 'eip155:31337/0x5fbdb2315678afecb367f032d93f642f64180aa3'

export const CHECK_VIOLATION = '23514'
export const INTEGRITY_VIOLATION = '23000'

let postings = 0

/** A key that nothing was posted under. */
export function newKey(): string {
  return `test:${postings++}`
}

export function leg(kind: AccountKind, owner: string, amountMicros: bigint): Leg {
  return { kind, owner, amountMicros }
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

/** Posts all in one transaction, as settle does. Answers for each whether it was posted: false where its key was before. */
export function bookAll(db: Db, given: readonly Posting[]): Promise<boolean[]> {
  return inTransaction(db, 'read write', async (tx) => {
    await gather(tx, async () => {
      for (const each of given) await post(tx, each)
    })
    const { rows } = await sql<{ key: string }>`
      select key from ledger.transfers where transaction_id = pg_current_xact_id()`.execute(tx)
    const posted = new Set(rows.map(({ key }) => key))
    return given.map(({ key }) => posted.delete(key))
  })
}

export async function book(db: Db, given: Posting): Promise<boolean | undefined> {
  return (await bookAll(db, [given]))[0]
}

/** Money comes in, and is owed to somebody. */
export function deposit(db: Db, owner: string, amountMicros: bigint): Promise<boolean | undefined> {
  return book(db, posting([leg('hot_wallet', 'wallet', -amountMicros), leg('payable', owner, amountMicros)]))
}

/** What stands on an owner's account of a kind; by default, the only one. Undefined where there is none. */
export async function balance(db: Db, owner: string, kind?: AccountKind): Promise<bigint | undefined> {
  const balances = await db.transaction().execute((tx) => balancesOf(tx, owner))
  return balances.find((found) => !kind || found.kind === kind)?.balanceMicros
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
      where not account.is_append_only group by account.id having coalesce(sum(entry.amount), 0) <> account.balance
    union all
    select transfer_id from ledger.entries group by transfer_id having sum(amount) <> 0`.execute(db)
  return rows
}
