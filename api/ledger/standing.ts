import { type RawBuilder, sql } from 'kysely'

/** Up to where entries are counted: those booked before an instant, and those of a statement that was begun. */
export interface Until {
  /** Booked before this; everything without it. */
  before?: Date | RawBuilder<unknown> | undefined
  /** No entry with a greater id. */
  lastEntryId?: bigint
}

/**
 * What stood on the account that the query calls `account`, in micro-units: the newest snapshot that has nothing but what
 * is to be counted, and the entries since.
 */
export function standing({ before, lastEntryId }: Until): RawBuilder<bigint> {
  const end = before === undefined ? sql`'infinity'::timestamptz` : sql`${before}::timestamptz`
  const within = (id: string) => (lastEntryId === undefined ? sql`true` : sql`${sql.ref(id)} <= ${lastEntryId}`)
  return sql<bigint>`(
    select coalesce(known.balance, 0) + coalesce((
        select sum(entry.amount) from ledger.entries entry
        where entry.account_id = account.id and entry.created_at > coalesce(known.through, '-infinity')
          and entry.created_at < ${end} and ${within('entry.id')}), 0)::bigint
    from (values (account.id)) as counted (id)
    left join lateral (
      select through, balance from ledger.snapshots snapshot
      where snapshot.account_id = counted.id and snapshot.through < ${end} and ${within('snapshot.last_entry_id')}
      order by through desc limit 1) known on true)`
}
