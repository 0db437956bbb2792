import pg from 'pg'
import type { Contestant } from './contest.ts'
import { newTransfer } from './postings.ts'

// Copies, so that nothing of ours stands before them; with the same columns, defaults and indexes.
const TABLES = `
  create table bench.accounts (like ledger.accounts including all) with (fillfactor = 80);
  insert into bench.accounts overriding system value select * from ledger.accounts;
  create table bench.transfers (like ledger.transfers including all);
  create table bench.entries (like ledger.entries including all);
  vacuum analyze bench.accounts`

const ROWS = `
  with transfer as (
    insert into bench.transfers (key, kind, order_id, evidence) values ($1, $2, $3, $4)
    on conflict (key) do nothing returning id
  ), moved as (
    update bench.accounts account set balance = account.balance + leg.amount
      from transfer, unnest($6::text[], $7::text[], $8::bigint[]) as leg(kind, owner, amount)
      where account.owner = leg.owner and account.asset = $5 and account.kind = leg.kind
      returning account.id, leg.amount, account.balance, transfer.id as transfer_id
  )
  insert into bench.entries (transfer_id, account_id, amount, balance_after)
    select transfer_id, id, amount, balance from moved`

/**
 * The rows of a posting, written by one statement of the driver's and by nothing of ours: nothing says that a posting balances,
 * that its accounts are there, or in which order they lock. The least that a ledger with these rows costs.
 */
export async function startBareRows(databaseUrl: string, clients: number): Promise<Contestant> {
  const options = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off'
  const pool = new pg.Pool({ connectionString: databaseUrl, max: clients, idleTimeoutMillis: 0, options })
  for (const statement of TABLES.split(';')) await pool.query(statement)
  const transaction = async () => {
    const { key, kind, orderId, evidence, asset, legs } = newTransfer()
    const sides = legs.toSorted((one, other) => (one.owner < other.owner ? -1 : 1))
    await pool.query({
      name: 'rows',
      text: ROWS,
      values: [
        ...[key, kind, orderId, evidence, asset],
        sides.map((leg) => leg.kind),
        sides.map(({ owner }) => owner),
        sides.map(({ amountMicros }) => amountMicros.toString()),
      ],
    })
    return 1
  }
  return { transaction, stop: () => pool.end() }
}
