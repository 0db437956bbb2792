import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'

/** When balances are noted. */
export interface SnapshotPlan {
  /** Entries of an account between two snapshots of it. */
  spacing: number
  /** Nothing younger is in a snapshot: by so much the clocks of two servers of the database may differ. */
  settledSeconds: number
}

/** How far the worker has come. `isOver`: every transaction is over that could still bring an entry from before `moment`. */
export interface SnapshotProgress {
  turn: bigint
  scanned: bigint
  newest: bigint
  isOver: boolean
  /** That was of another server, or nothing was begun yet. */
  isForeign: boolean
}

/** What stood on an account once everything until then was booked; micro-units. The instant as finely as entries have it. */
export interface Snapshot {
  accountId: bigint
  through: string
  balance: bigint
  lastEntryId: bigint
}

/** A snapshot with what the entries say instead. */
export type WrongSnapshot = Snapshot & { entriesMicros: bigint }

const VERIFIED_AT_ONCE = 200

/** Reads how far the worker has come, as of the transaction's snapshot. */
export async function readSnapshotProgress(tx: Tx): Promise<SnapshotProgress> {
  const { rows } = await sql<SnapshotProgress>`
    select turn, scanned, newest,
      coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= horizon, false) as "isOver",
      coalesce(pg_snapshot_xmax(pg_current_snapshot()) < horizon, true) as "isForeign"
    from ledger.snapshot_progress`.execute(tx)
  const [progress] = rows
  if (!progress) throw new Error('the database does not say how far its snapshots have come')
  return progress
}

/** The snapshots that are due on the accounts that some transfers touched. They must be found to be right first. */
export async function dueSnapshots(
  tx: Tx,
  { spacing }: SnapshotPlan,
  { scanned, end }: { scanned: bigint; end: bigint },
): Promise<Snapshot[]> {
  const { rows } = await sql<Snapshot>`
    select distinct touched.account_id as "accountId", due.through::text, coalesce(known.balance, 0) + due.amount as balance,
      due.last_entry_id as "lastEntryId"
    from (select distinct account_id from ledger.entries where transfer_id > ${scanned} and transfer_id <= ${end}) touched
    left join lateral (
      select through, balance from ledger.snapshots where account_id = touched.account_id
      order by through desc limit 1) known on true
    cross join lateral (
      select created_at as through, amount, last_entry_id from (
        select created_at, row_number() over (order by created_at, id) as place,
          (sum(amount) over (order by created_at))::bigint as amount, max(id) over (order by created_at) as last_entry_id
        from ledger.entries, ledger.snapshot_progress
        where account_id = touched.account_id and created_at > coalesce(known.through, '-infinity')
          and created_at < moment
      ) entry where place % ${spacing} = 0
    ) due`.execute(tx)
  return rows
}

/**
 * Compares snapshots with the entries between each and the one before it: those before which one of some transfers was
 * booked, and some others in turn. Answers what does not fit, and where the turn has come to.
 */
export async function wrongSnapshots(
  tx: Tx,
  { scanned, end }: { scanned: bigint; end: bigint },
): Promise<{ wrong: WrongSnapshot[]; last: Snapshot | undefined }> {
  const { rows } = await sql<WrongSnapshot & { isInTurn: boolean; isRight: boolean }>`
    with chosen as (
      (select snapshot.*, true as is_in_turn from ledger.snapshots snapshot, ledger.snapshot_progress progress
        where (account_id, through) > (verified_account, verified_through)
        order by account_id, through limit ${VERIFIED_AT_ONCE})
      union
      select snapshot.*, false from ledger.entries entry
      cross join lateral (
        select * from ledger.snapshots where account_id = entry.account_id and through >= entry.created_at
        order by through limit 1) snapshot
      where entry.transfer_id > ${scanned} and entry.transfer_id <= ${end}
    ), compared as (
      select chosen.*, (coalesce(earlier.balance, 0) + coalesce(since.amount, 0))::bigint as entries,
        greatest(earlier.last_entry_id, since.last_entry_id) as newest
      from chosen
      left join lateral (
        select through, balance, last_entry_id from ledger.snapshots snapshot
        where snapshot.account_id = chosen.account_id and snapshot.through < chosen.through
        order by through desc limit 1) earlier on true
      cross join lateral (
        select sum(amount) as amount, max(id) as last_entry_id from ledger.entries
        where account_id = chosen.account_id and created_at > coalesce(earlier.through, '-infinity')
          and created_at <= chosen.through) since
    )
    select account_id as "accountId", through::text, balance, last_entry_id as "lastEntryId", entries as "entriesMicros",
      is_in_turn as "isInTurn", balance = entries and last_entry_id is not distinct from newest as "isRight"
    from compared order by account_id, compared.through`.execute(tx)
  return { wrong: rows.filter(({ isRight }) => !isRight), last: rows.filter(({ isInTurn }) => isInTurn).at(-1) }
}

/** Goes on from a turn that somebody may have gone on from already: false then, and nothing is to be written. */
export async function takeTurn(
  tx: Tx,
  { turn }: SnapshotProgress,
  { scanned, last }: { scanned: bigint; last: Snapshot | undefined },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ledger.snapshot_progress set turn = turn + 1, scanned = ${scanned},
      verified_account = ${last?.accountId ?? 0n}, verified_through = ${last?.through ?? '-infinity'}::timestamptz
    where turn = ${turn}`.execute(tx)
  return numAffectedRows > 0n
}

/** Begins the next round: the instant that its snapshots end at, and what there is to be waited for until then. */
export async function beginRound(tx: Tx, { settledSeconds }: SnapshotPlan): Promise<void> {
  await sql`
    update ledger.snapshot_progress set moment = market.now() - make_interval(secs => ${settledSeconds}),
      horizon = pg_snapshot_xmax(pg_current_snapshot()),
      newest = (select coalesce(max(id), 0) from ledger.transfers)`.execute(tx)
}

/** Writes snapshots down. */
export async function keepSnapshots(tx: Tx, snapshots: readonly Snapshot[]): Promise<void> {
  await sql`
    insert into ledger.snapshots (account_id, through, balance, last_entry_id)
    select * from unnest(${snapshots.map(({ accountId }) => accountId)}::bigint[],
      ${snapshots.map(({ through }) => through)}::timestamptz[], ${snapshots.map(({ balance }) => balance)}::bigint[],
      ${snapshots.map(({ lastEntryId }) => lastEntryId)}::bigint[])`.execute(tx)
}

/** Forgets snapshots, and those that went on from them. They are taken again. */
export async function forgetSnapshots(tx: Tx, wrong: readonly Snapshot[]): Promise<void> {
  await sql`
    delete from ledger.snapshots snapshot
    using unnest(${wrong.map(({ accountId }) => accountId)}::bigint[],
      ${wrong.map(({ through }) => through)}::timestamptz[]) as wrong (account_id, through)
    where snapshot.account_id = wrong.account_id and snapshot.through >= wrong.through`.execute(tx)
}
