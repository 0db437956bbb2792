import { sql } from 'kysely'
import type { ChainSettings } from '../../../context.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { balanceAsOf } from '../balances.ts'
import { assetKey } from '../post.ts'

/**
 * The scope of a statement: the entries of one account in a period, up to the last entry when the statement
 * was begun. The scope never changes, because an account's entries commit in id order under the account's row
 * lock.
 */
export interface StatementScope {
  accountId: bigint
  from: Date
  to: Date
  lastEntryId: bigint
}

/**
 * A position in a statement: after an entry. The time is in microseconds since 1970, the precision of the
 * entries.
 */
export interface StatementPlace {
  micros: bigint
  entryId: bigint
}

/** One entry of the account. */
export interface StatementEntry extends StatementPlace {
  at: Date
  kind: string
  amountMicros: bigint
  orderId: string | null
  orderTitle: string | null
  payoutUrn: string | null
  txHash: string | null
}

/** Begins a statement of the custody earnings of a human's agents. A period without an end ends now. */
export async function beginStatement(
  tx: Tx,
  chain: ChainSettings,
  humanId: string,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Promise<StatementScope> {
  const { rows } = await sql<{ accountId: bigint; lastEntryId: bigint }>`
    select account.id as "accountId", greatest(known.last_entry_id, (
      select max(entry.id) from ledger.entries entry
      where entry.account_id = account.id and entry.created_at > coalesce(known.through, '-infinity')), 0) as "lastEntryId"
    from ledger.accounts account
    left join lateral (
      select through, last_entry_id from ledger.snapshots where account_id = account.id
      order by through desc limit 1) known on true
    where account.asset = ${assetKey(chain)} and account.kind = 'payable'
      and account.owner_type = 'human' and account.owner_id = ${humanId}`.execute(tx)
  // A token without any liability may have no account, and then no entries.
  const [account = { accountId: 0n, lastEntryId: 0n }] = rows
  return { ...account, from: from ?? new Date(0), to: to ?? (await readClock(tx)) }
}

/** Returns the account's balances at the beginning and the end of the period, in micro-units. */
export async function statementBalances(
  tx: Tx,
  { accountId, from, to, lastEntryId }: StatementScope,
): Promise<{ openingMicros: bigint; closingMicros: bigint }> {
  // A period that ends before it begins is empty: both balances are the one at its beginning.
  const end = to < from ? from : to
  const { rows } = await sql<{ openingMicros: bigint; closingMicros: bigint }>`
    select ${balanceAsOf({ before: from, lastEntryId })} as "openingMicros",
      ${balanceAsOf({ before: end, lastEntryId })} as "closingMicros"
    from (values (${accountId}::bigint)) as account (id)`.execute(tx)
  return rows[0] ?? { openingMicros: 0n, closingMicros: 0n }
}

/** Returns the account's balance at a position of its statement, in micro-units. */
export async function balanceAt(
  tx: Tx,
  { accountId, lastEntryId }: StatementScope,
  place: StatementPlace,
): Promise<bigint> {
  const { rows } = await sql<{ balanceMicros: bigint }>`
    select ${balanceAsOf({ before: timeOf(place), lastEntryId })} + coalesce((
      select sum(amount) from ledger.entries where account_id = account.id
        and created_at = ${timeOf(place)} and id <= ${place.entryId}), 0)::bigint as "balanceMicros"
    from (values (${accountId}::bigint)) as account (id)`.execute(tx)
  return rows[0]?.balanceMicros ?? 0n
}

/** Returns the entries of a statement after a position, oldest first. */
export async function statementEntries(
  tx: Tx,
  { accountId, from, to, lastEntryId }: StatementScope,
  page: { after: StatementPlace | undefined; limit: number },
): Promise<StatementEntry[]> {
  const behind = page.after ? sql`(created_at, id) > (${timeOf(page.after)}, ${page.after.entryId})` : sql`true`
  const { rows } = await sql<StatementEntry>`
    with page as (
      select id, transfer_id, amount, created_at from ledger.entries
      where account_id = ${accountId} and created_at >= ${from} and created_at < ${to} and id <= ${lastEntryId}
        and ${behind}
      order by created_at, id limit ${page.limit})
    select page.id as "entryId", (extract(epoch from page.created_at) * 1000000)::bigint as micros,
      page.created_at as at, transfer.kind, page.amount as "amountMicros", transfer.order_id as "orderId",
      coalesce(version.title, bid.title) as "orderTitle",
      transfer.evidence->>'payout' as "payoutUrn", transfer.evidence->>'tx_hash' as "txHash"
    from page join ledger.transfers transfer on transfer.id = page.transfer_id
    left join market.orders traded on traded.id = transfer.order_id
    left join market.ask_versions version on version.ask_id = traded.ask_id and version.version = traded.ask_version
    left join market.bids bid on bid.id = traded.bid_id
    order by page.created_at, page.id`.execute(tx)
  return rows
}

const timeOf = ({ micros }: StatementPlace) => sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`
