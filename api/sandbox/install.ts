import pg from 'pg'

/**
 * Gives a fresh sandbox database a clock that can be moved. It is the set-up of a sandbox that calls this; nothing that
 * serves does, and a service that is no sandbox refuses a database that has such a clock.
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
      grant usage on schema sandbox to market_facilitator;
      grant select on sandbox.clock to market_facilitator;
      create or replace function market.now() returns timestamptz
        language sql stable
        as 'select pg_catalog.transaction_timestamp() + (select shift from sandbox.clock)'`)
  } finally {
    await client.end()
  }
}
