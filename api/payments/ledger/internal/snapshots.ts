import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'

/** When snapshots are taken. */
export interface SnapshotPlan {
  /** The number of entries between two snapshots of an account. */
  spacing: number
  /**
   * No entry younger than this is in a snapshot: the clocks of two database servers may differ by that much.
   */
  settledSeconds: number
}

/**
 * The worker's progress. `isOver`: every transaction that could still add an entry from before the round's
 * instant is over.
 */
export interface SnapshotProgress {
  turn: bigint
  scanned: bigint
  newest: bigint
  isOver: boolean
  /** Whether a round has begun. */
  hasBegun: boolean
}

/**
 * The balance of an account at an instant, in micro-units. The instant has the precision of the entries'
 * times.
 */
export interface Snapshot {
  accountId: bigint
  through: string
  balance: bigint
  lastEntryId: bigint
}

/** A snapshot, and the balance that the entries sum up to. */
export type WrongSnapshot = Snapshot & { entriesMicros: bigint }

const VERIFIED_AT_ONCE = 200

/**
 * Returns the worker's progress. A transaction that begins later sees what those that are over have written.
 */
export async function readSnapshotProgress(db: Db): Promise<SnapshotProgress> {
  const { rows } = await sql<SnapshotProgress>`
    select turn, scanned, newest,
      moment is not null as "hasBegun", not coalesce(writers && ledger.writers(), false) as "isOver"
    from ledger.snapshot_progress`.execute(db)
  const [progress] = rows
  if (!progress) throw new Error('the database has no snapshot progress')
  return progress
}

/**
 * Returns the snapshots that are due on the accounts of some transfers. The caller must verify existing ones
 * first.
 */
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
 * Compares snapshots with the entries between each and its predecessor: those affected by the given
 * transfers, and some others in rotation. Returns the wrong ones, and the rotation's new position.
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

/**
 * Advances the rotation by a conditional update. Returns false if another worker advanced it: nothing may be
 * written then.
 */
export async function takeTurn(
  tx: Tx,
  { turn }: SnapshotProgress,
  { scanned, last }: { scanned: bigint; last: Snapshot | undefined },
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select ledger.take_snapshot_turn(${turn}, ${scanned}, ${last?.accountId ?? 0n}, ${last?.through ?? '-infinity'}) as taken
    `.execute(tx)
  return rows[0]?.taken === true
}

/** Begins the next round: fixes the instant at which its snapshots end, and the transactions to wait for. */
export async function beginRound(tx: Tx, { settledSeconds }: SnapshotPlan): Promise<void> {
  await sql`select ledger.begin_snapshot_round(${settledSeconds})`.execute(tx)
}

/** Writes snapshots. */
export async function recordSnapshots(tx: Tx, snapshots: readonly Snapshot[]): Promise<void> {
  await sql`
    select ledger.record_snapshots(${snapshots.map(({ accountId }) => accountId)}::bigint[],
      ${snapshots.map(({ through }) => through)}::timestamptz[], ${snapshots.map(({ balance }) => balance)}::bigint[],
      ${snapshots.map(({ lastEntryId }) => lastEntryId)}::bigint[])`.execute(tx)
}

/** Deletes snapshots and those built on them. They are taken again. */
export async function removeSnapshots(tx: Tx, wrong: readonly Snapshot[]): Promise<void> {
  await sql`
    select ledger.remove_snapshots(${wrong.map(({ accountId }) => accountId)}::bigint[],
      ${wrong.map(({ through }) => through)}::timestamptz[])`.execute(tx)
}
