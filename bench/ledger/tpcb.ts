import pg from 'pg'
import type { Contestant } from './contest.ts'

// As pgbench makes them, with fewer accounts a branch: then all of it stays in memory, as the ledger's
// accounts do. Branches are four times the clients: with as many as clients, TPC-B would mostly measure how
// they wait for each other.
const BRANCHES = 100
const TELLERS = 10 * BRANCHES
const ACCOUNTS = 4_000 * BRANCHES
const MOST = 5_000

/** The tables of pgbench, in a schema of their own. */
const TABLES = `
  create schema tpcb;
  create table tpcb.branches (bid int not null, bbalance int, filler char(88)) with (fillfactor = 100);
  create table tpcb.tellers (tid int not null, bid int, tbalance int, filler char(84)) with (fillfactor = 100);
  create table tpcb.accounts (aid int not null, bid int, abalance int, filler char(84)) with (fillfactor = 100);
  create table tpcb.history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
  insert into tpcb.branches (bid, bbalance) select bid, 0 from generate_series(1, ${BRANCHES}) bid;
  insert into tpcb.tellers (tid, bid, tbalance)
    select tid, (tid - 1) / 10 + 1, 0 from generate_series(1, ${TELLERS}) tid;
  insert into tpcb.accounts (aid, bid, abalance, filler)
    select aid, (aid - 1) / 4000 + 1, 0, '' from generate_series(1, ${ACCOUNTS}) aid;
  alter table tpcb.branches add primary key (bid);
  alter table tpcb.tellers add primary key (tid);
  alter table tpcb.accounts add primary key (aid);`

const STATEMENTS = {
  account: 'update tpcb.accounts set abalance = abalance + $1 where aid = $2',
  read: 'select abalance from tpcb.accounts where aid = $1',
  teller: 'update tpcb.tellers set tbalance = tbalance + $1 where tid = $2',
  branch: 'update tpcb.branches set bbalance = bbalance + $1 where bid = $2',
  history: `insert into tpcb.history (tid, bid, aid, delta, mtime) values ($1, $2, $3, $4, current_timestamp)`,
}

/**
 * pgbench's "TPC-B (sort of)": the same script, statement by statement, each prepared once a connection, sent
 * by the driver that we use, without anything of ours between.
 */
export async function startTpcB(databaseUrl: string, clients: number): Promise<Contestant> {
  // Nobody's turn begins with connecting anew.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: clients, idleTimeoutMillis: 0 })
  await pool.query(TABLES)
  const transaction = async () => {
    const client = await pool.connect()
    const run = (name: keyof typeof STATEMENTS, values: number[]) =>
      client.query({ name, text: STATEMENTS[name], values })
    const [account, teller, branch, delta] = [
      upTo(ACCOUNTS),
      upTo(TELLERS),
      upTo(BRANCHES),
      upTo(2 * MOST + 1) - MOST - 1,
    ]
    try {
      await client.query('begin')
      await run('account', [delta, account])
      await run('read', [account])
      await run('teller', [delta, teller])
      await run('branch', [delta, branch])
      await run('history', [teller, branch, account, delta])
      await client.query('commit')
    } finally {
      client.release()
    }
    return 1
  }
  return { transaction, stop: () => pool.end() }
}

/** A number from 1 to `most`. */
export function upTo(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}
