import { sql } from 'kysely'
import type { Db } from '../../../../api/platform/db/pool.ts'

/** Somebody else, and their agent. */
const NEIGHBOUR = '01890000-0000-8000-8000-000000000000'
const LONG_AGO = new Date(0)
/** The tables whose rows have twins that differ in their ids alone. */
const TABLES = `orgs org_agents spaces pages page_versions page_links page_aliases entries attachments attachment_versions
  files storage_usage comments decisions tasks task_files secrets views imports confirmations notifications
  webhook_subscriptions orders threads messages acceptances authorizations deliveries delivery_notices delivery_checks
  rejections receipts ratings disputes dispute_statements dispute_evidence org_members org_invitations space_members`
/** What else differs in a twin: whose it is, and what a job would take up. */
const DIFFERENCES: Readonly<Record<string, object>> = {
  org_members: { human_id: NEIGHBOUR },
  org_invitations: { human_id: NEIGHBOUR, invited_by: NEIGHBOUR },
  space_members: { human_id: NEIGHBOUR },
  pages: { import_id: null },
  attachments: { import_id: null },
  files: { text_state: 'unsupported', preview_state: 'unsupported', scan_state: 'clean' },
  tasks: { bid_id: null, order_id: null },
  imports: { state: 'finished', ended_at: LONG_AGO },
  orders: {
    buyer_id: NEIGHBOUR,
    seller_id: NEIGHBOUR,
    seller_owner_id: NEIGHBOUR,
    state: 'cancelled',
    closed_at: LONG_AGO,
    placement_entry: null,
  },
  messages: { sender_id: NEIGHBOUR },
  acceptances: { accepted_by: NEIGHBOUR },
  ratings: { seller_id: NEIGHBOUR },
  authorizations: { valid_before: '2200-01-01', spending_id: null, spending_day: null },
  delivery_checks: { results: [], checked_at: LONG_AGO },
  disputes: { state: 'closed', due_at: null, remind_at: null, outcome: 'settlement', closed_at: LONG_AGO },
  dispute_statements: { author_id: NEIGHBOUR },
}
/** The service removes old rows of these, whosesoever they are. */
const SWEPT = ['confirmations', 'notifications']
const IDS = `id org_id space_id page_id parent_id task_id thread_id entry_id attachment_id file_id secret_id entity_id
  confirmation_id supersedes trashed_with order_id receipt_id message_id delivery_id dispute_id`

/**
 * Gives each org and each order a twin, with a twin of each row that the service writes for it: the same
 * names, titles, positions and hashes in an org, or an order, of somebody else's. A statement that forgets
 * whose rows it wants meets the twins in every test, and the database refuses one that would change them. The
 * ids of twins have version 8.
 */
export async function installTwins(db: Db): Promise<void> {
  const byService = `session_user in ('market_api', 'market_worker')`
  const triggers = TABLES.split(/\s+/).map((table) => {
    const keep = `create trigger twin_kept before update or delete on market.${table} for each row
      when (${byService}) execute function twins.keep();`
    return `create trigger twin after insert on market.${table} for each row
      when (${byService} and pg_trigger_depth() = 0) execute function twins.add('${JSON.stringify(DIFFERENCES[table] ?? {})}');
      ${SWEPT.includes(table) ? '' : keep}`
  })
  await sql
    .raw(`create schema twins;
    create function twins.ids(of jsonb) returns jsonb language sql return (
      select jsonb_object_agg(key, overlay(value placing '8' from 15)) from jsonb_each_text(of)
      where (key = any ('{${IDS.split(/\s+/)}}') or value = of->>'org_id') and value is not null);
    create function twins.add() returns trigger language plpgsql security definer as $$
      declare
        twin jsonb := to_jsonb(new);
      begin
        if twin ? 'org_id' and twin->>'org_id' is null or twin->>'quote_id' is not null then
          return null;
        elsif tg_table_name in ('orgs', 'orders') then
          insert into market.humans (id, display_name, email)
            values ('${NEIGHBOUR}', 'Neighbour', 'neighbour@example.com') on conflict do nothing;
          insert into market.agents (id, owner_id, display_name, description)
            values ('${NEIGHBOUR}', '${NEIGHBOUR}', 'Neighbour', '') on conflict do nothing;
        end if;
        twin := twin || jsonb_build_object('slug', 'twin-' || (twin->>'slug'), 'short_id', reverse(twin->>'short_id'),
          'order_key', reverse(twin->>'order_key'), 'nonce', reverse(twin->>'nonce'),
          'sha256', coalesce(twin->>'sha256', encode(sha256((twin->>'id')::bytea), 'hex')))
          || twins.ids(twin) || tg_argv[0]::jsonb;
        -- That key is checked at the end of the transaction.
        if tg_table_name = 'attachment_versions'
          and not exists (select from market.files where id = (twin->>'file_id')::uuid) then
          return null;
        end if;
        execute format('insert into market.%1$I select * from jsonb_populate_record(null::market.%1$I, $1)
          on conflict do nothing', tg_table_name) using twin;
        return null;
      -- A test of its own has written what this belongs to.
      exception when foreign_key_violation then
        return null;
      end $$;
    create function twins.keep() returns trigger language plpgsql security definer as $$
      begin
        if to_jsonb(old) @> twins.ids(to_jsonb(old)) then
          raise exception '% of the row of somebody else in %', tg_op, tg_table_name;
        end if;
        return case tg_op when 'DELETE' then old else new end;
      end $$;
    ${triggers.join('')}`)
    .execute(db)
}
