import pg from 'pg'

/**
 * Gives a fresh sandbox database a movable clock. Only the set-up of a sandbox calls this, never a serving
 * process; a service that is not a sandbox refuses such a database.
 */
export async function installSandboxClock(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`
      create schema if not exists sandbox;
      create table if not exists sandbox.clock
        (singleton boolean primary key default true check (singleton), shift interval not null default '0');
      insert into sandbox.clock default values on conflict do nothing;
      create or replace function market.now() returns timestamptz
        language sql stable
        return transaction_timestamp() + (select shift from sandbox.clock);
      create or replace trigger clock_wake_all after update on sandbox.clock
        for each statement execute function market.wake_job('*');
      do $$ begin
        if to_regrole('market_api') is not null then
          grant usage on schema sandbox to market_api, market_facilitator;
          grant select on sandbox.clock to market_facilitator;
          grant select, update on sandbox.clock to market_api;
        end if;
      end $$`)
  } finally {
    await client.end()
  }
}
