import { sql } from 'kysely'
import type { JobServices } from '../jobs/services.ts'

const AT_ONCE = 1_000

/** Deletes events that are older than rules.eventRetentionSeconds, oldest first, and stores how far the log was purged. */
export async function purgeEvents({ db, settings }: JobServices): Promise<void> {
  const { eventRetentionSeconds } = settings.rules
  for (let purged = AT_ONCE; purged === AT_ONCE; ) purged = await purgeSome(db, eventRetentionSeconds)
}

// One statement. The oldest of the log are looked at, whatever their time: nothing behind one that stays is deleted.
async function purgeSome(db: JobServices['db'], seconds: number): Promise<number> {
  const { rows } = await sql<{ purged: number }>`
    with oldest as (
      select transaction_id, id, created_at <= market.now() - make_interval(secs => ${seconds}) as is_expired
      from market.events where transaction_id < pg_snapshot_xmin(pg_current_snapshot())
      order by transaction_id, id limit ${AT_ONCE}
    ), expired as (
      select transaction_id, id from oldest where is_expired and (transaction_id, id) < coalesce(
        (select (transaction_id, id) from oldest where not is_expired order by transaction_id, id limit 1),
        row('18446744073709551615'::xid8, 0::bigint))
    ), purged as (
      delete from market.events event using expired
      where event.transaction_id = expired.transaction_id and event.id = expired.id
      returning event.transaction_id, event.id, event.visible_to
    ), hidden as (
      delete from market.visible_events seen using purged
      where seen.account_id = any(purged.visible_to) and seen.transaction_id = purged.transaction_id and seen.id = purged.id
    ), marked as (
      update market.event_log set (purged_transaction_id, purged_id) =
        (select transaction_id, id from purged order by transaction_id desc, id desc limit 1)
      where exists (select from purged)
    )
    select count(*)::integer as purged from purged`.execute(db)
  return rows[0]?.purged ?? 0
}
