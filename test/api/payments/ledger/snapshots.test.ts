import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { type CompiledQuery, Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { createPublicClient, http } from 'viem'
import { balanceAsOf, balancesOf } from '../../../../api/payments/ledger/balances.ts'
import { readHoldings } from '../../../../api/payments/ledger/internal/holdings.ts'
import { balanceAt, beginStatement, statementBalances } from '../../../../api/payments/ledger/internal/statement.ts'
import { assetKey } from '../../../../api/payments/ledger/post.ts'
import { snapshotBalances } from '../../../../api/payments/ledger/snapshotBalances.ts'
import type { Database } from '../../../../api/platform/db/generated/tables.ts'
import { openPool, type Tx } from '../../../../api/platform/db/pool.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { installSandboxClock } from '../../../../api/sandbox/install.ts'
import { testSettings } from '../../../kit/api/payments/escrow/world.ts'
import { ownerId } from '../../../kit/api/payments/ledger/postings.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'

const DENSE = { spacing: 3, settledSeconds: 5 }
const WALLET = `0x${'a'.repeat(40)}`
const COLD = `0x${'c'.repeat(40)}`
const HUMAN = '0192f000-0000-7000-8000-000000000001'

type Act =
  | { do: 'sell'; fee: number }
  | { do: 'wait'; seconds: number }
  | { do: 'hold open'; fee: number }
  | { do: 'commit' }
  | { do: 'note'; workers: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('sell'), fee: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), seconds: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold open'), fee: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('commit') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('note'), workers: fc.integer({ min: 1, max: 3 }) }) },
) as fc.Arbitrary<Act>

/** A history: who sells in it, and the transactions that have posted and are not over. */
interface Stage {
  seller: string
  open: pg.Client[]
}

describe('balances that are noted every so often', () => {
  let database: TestDatabase
  let services: JobServices
  let reader: Kysely<Database>
  let queries: CompiledQuery[] = []
  let alarms: Record<string, unknown>[] = []
  let transfers = 0
  const settings = testSettings()
  const asset = assetKey(settings.chain)

  before(async () => {
    database = await startDatabase()
    await installSandboxClock(database.url)
    const db = openPool(database.url, { max: 6, onError: () => {} })
    const log = pino({ level: 'error' }, { write: (line: string) => void alarms.push(JSON.parse(line)) })
    services = { db, rpc: createPublicClient({ transport: http('http://127.0.0.1:9') }), settings, log }
    const types = { getTypeParser: (oid: number) => (oid === 20 ? BigInt : pg.types.getTypeParser(oid)) }
    const pool = new pg.Pool({ connectionString: database.url, max: 1, types })
    reader = new Kysely<Database>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void queries.push(query),
    })
  })

  after(async () => {
    await services?.db.destroy()
    await reader?.destroy()
    await database?.stop()
  })

  const wait = (seconds: number) =>
    sql`update sandbox.clock set shift = shift + make_interval(secs => ${seconds})`.execute(services.db)
  /** Many sales in one statement: a fee each, which no row waits for, and what the seller has. */
  const sales = (seller: string, count: number, fee = 1) => sql`
    select ledger.post_transfers(jsonb_build_array(jsonb_build_object('kind', 'test', 'asset', ${asset}::text, 'evidence', '{}'::jsonb,
      'key', 'sale:' || ${transfers++}::text || ':' || n, 'legs', jsonb_build_array(
        jsonb_build_object('kind', 'hot_wallet', 'owner_type', 'address', 'owner_id', ${WALLET}::text, 'amount', ${-fee - 7}::bigint),
        jsonb_build_object('kind', 'payable', 'owner_type', 'human', 'owner_id', ${ownerId('human', seller)}::text, 'amount', 7),
        jsonb_build_object('kind', 'fees', 'owner_type', 'service', 'owner_id', 'service', 'amount', ${fee}::bigint)))))
    from generate_series(1, ${count}) n`
  /** A round begins and ends. */
  const note = async (plan = DENSE) => {
    await snapshotBalances(services, plan)
    await snapshotBalances(services, plan)
  }
  const noted = async () => (await services.db.selectFrom('ledger.snapshots').selectAll().execute()).length
  const run = <Answer>(read: (tx: Tx) => Promise<Answer>) => reader.transaction().execute(read)

  const commitOldest = async ({ open }: Stage) => {
    const client = open.shift()
    await client?.query('commit')
    await client?.end()
  }
  /** Begins a transaction that has posted, and leaves it open. */
  const holdOpen = async (seller: string, count: number, fee = 1) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('begin')
    const { sql: text, parameters } = sales(seller, count, fee).compile(services.db)
    await client.query(text, [...parameters])
    return client
  }
  const perform = async (stage: Stage, act: Act): Promise<void> => {
    switch (act.do) {
      case 'sell':
        await sales(stage.seller, 2, act.fee).execute(services.db)
        return
      case 'wait':
        await wait(act.seconds)
        return
      case 'commit':
        return commitOldest(stage)
      case 'note':
        await Promise.all(Array.from({ length: act.workers }, () => snapshotBalances(services, DENSE)))
        return
      case 'hold open':
        stage.open.push(await holdOpen(`${stage.seller}:${transfers}`, 2, act.fee))
    }
  }

  /**
   * Every account where what is read is not the sum of all entries: now, and before each instant that there
   * was an entry at.
   */
  const wrong = async () => {
    const moments = sql`select distinct created_at as instant from ledger.entries union select 'infinity'`
    const { rows } = await sql`
      select account.kind, account.owner_id, moment.instant, read.micros, sum.micros as sum
      from ledger.accounts account
      cross join lateral (
        select instant from (${moments}) moment order by instant = 'infinity' desc, hashtext(instant::text || account.id) limit 40) moment
      cross join lateral (select ${balanceAsOf({ before: sql`moment.instant` })} as micros) read
      cross join lateral (select coalesce(sum(amount), 0)::bigint as micros from ledger.entries
        where account_id = account.id and created_at < moment.instant) sum
      where read.micros <> sum.micros`.execute(services.db)
    return rows
  }

  it('come to the sum of all entries, at any moment, whenever they were noted and whatever was not committed then', async () => {
    // Opens the accounts that all share: who opens one that another is opening waits until the other commits.
    await sales('first', 1).execute(services.db)
    let histories = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40 }), async (acts) => {
        const stage: Stage = { seller: `seller-${histories++}`, open: [] }
        for (const next of acts) await perform(stage, next)
        while (stage.open.length > 0) await commitOldest(stage)
        expect(await wrong()).to.deep.equal([])
      }),
      { numRuns: 15, endOnFailure: true },
    )
    await note()
    expect(await wrong()).to.deep.equal([])
    expect(await noted()).to.be.greaterThan(20)
    expect(alarms).to.deep.equal([])
  })

  it('are not noted before a transaction that could still bring an entry is over', async () => {
    await note()
    const client = await holdOpen('slow', 5)
    try {
      await sales('quick', 5).execute(services.db)
      await wait(60)
      const before = await noted()
      await snapshotBalances(services, DENSE)
      await snapshotBalances(services, DENSE)
      expect(await noted()).to.equal(before)
      await client.query('commit')
      await note()
      expect(await noted()).to.be.greaterThan(before)
      expect(await wrong()).to.deep.equal([])
    } finally {
      await client.end()
    }
  })

  it('wait for no transaction of another database, and for none of this one that posts nothing', async () => {
    const other = await startDatabase()
    const idle = [new pg.Client(other.url), new pg.Client(database.url)]
    try {
      for (const client of idle) {
        await client.connect()
        await client.query('begin')
        await client.query('select pg_current_xact_id()')
      }
      await sales('quick', 5).execute(services.db)
      await wait(60)
      const before = await noted()
      await snapshotBalances(services, DENSE)
      await snapshotBalances(services, DENSE)
      expect(await noted()).to.be.greaterThan(before)
      expect(await wrong()).to.deep.equal([])
    } finally {
      for (const client of idle) await client.end()
      await other.stop()
    }
  })

  it('are forgotten, taken again and told of when one was changed by hand', async () => {
    await sales('ada', 9).execute(services.db)
    await wait(60)
    await note()
    const account = sql`(select id from ledger.accounts where owner_id = 'service')`
    const change = sql`update ledger.snapshots set balance = balance + 1 where account_id = ${account}
      and through = (select max(through) from ledger.snapshots where account_id = ${account})`
    const refused = await change.execute(services.db).catch((error) => error.code)
    expect(refused).to.equal('23001')
    await byHand(change)
    expect(await wrong()).to.not.deep.equal([])
    alarms = []
    // Some are compared each time, in turn.
    for (let looked = 0; looked <= (await noted()); looked += 100) await note()
    expect(await wrong()).to.deep.equal([])
    expect(alarms).to.have.length(1)
    expect(alarms[0]).to.include({ alarm: true, level: 50 })
    const before = await noted()
    await sales('ada', 6).execute(services.db)
    await wait(60)
    await note()
    expect(await noted()).to.be.greaterThan(before)
  })

  it('take in what was booked by a clock that had gone back', async () => {
    await sales('late', 4).execute(services.db)
    await wait(600)
    await sales('late', 4).execute(services.db)
    await wait(60)
    await note()
    await wait(-400)
    await sales('late', 1).execute(services.db)
    await wait(400)
    await note()
    expect(await wrong()).to.deep.equal([])
  })

  it('leave little to add up, however many entries there are', async () => {
    const cold = sql`
      select ledger.post_transfers(jsonb_build_array(jsonb_build_object('kind', 'test', 'asset', ${asset}::text, 'evidence', '{}'::jsonb,
        'key', 'cold:' || n, 'legs', jsonb_build_array(
          jsonb_build_object('kind', 'hot_wallet', 'owner_type', 'address', 'owner_id', ${WALLET}::text, 'amount', 1),
          jsonb_build_object('kind', 'cold_wallet', 'owner_type', 'address', 'owner_id', ${COLD}::text, 'amount', -1)))))
      from generate_series(1, 3000) n`
    const before = await instant()
    for (const each of [sales(HUMAN, 1_500), cold, sales(HUMAN, 1_500)]) {
      await each.execute(services.db)
      await wait(60)
    }
    const middle = new Date((before.getTime() + (await instant()).getTime()) / 2)
    await note({ spacing: 100, settledSeconds: 5 })
    await sql`vacuum analyze ledger.entries`.execute(services.db)
    await sql`analyze ledger.snapshots`.execute(services.db)
    const scope = await run((tx) => beginStatement(tx, settings.chain, HUMAN, { from: middle }))
    const [{ micros, entryId }] = await sql<{ micros: bigint; entryId: bigint }>`
      select (extract(epoch from created_at) * 1000000)::bigint as micros, id as "entryId" from ledger.entries
      where account_id = ${scope.accountId} order by id desc offset 50 limit 1`
      .execute(services.db)
      .then(({ rows }) => rows as [{ micros: bigint; entryId: bigint }])
    const reads: Record<string, (tx: Tx) => Promise<unknown>> = {
      'what the service has earned': (tx) => balancesOf(tx, { type: 'service', id: 'service' }),
      'what the cold wallet has': (tx) => balancesOf(tx, { type: 'address', id: 'cold' }),
      'balances at a time': (tx) => readHoldings(tx, settings.chain, HUMAN, middle),
      'the beginning of a statement': (tx) => beginStatement(tx, settings.chain, HUMAN, { from: middle }),
      'the balances of a statement': (tx) => statementBalances(tx, scope),
      'the balance at a page': (tx) => balanceAt(tx, scope, { micros, entryId }),
    }
    for (const [name, read] of Object.entries(reads)) {
      const entries = await entriesRead(read)
      // Two balances of at most a hundred entries since a snapshot, and as many that share its page's
      // instant.
      expect(entries, name).to.be.lessThan(250)
    }
    expect(await wrong()).to.deep.equal([])
  })

  const instant = async () => {
    const { rows } = await sql<{ now: Date }>`select market.now() as now`.execute(services.db)
    return rows[0]?.now ?? new Date(0)
  }

  const byHand = async (change: RawBuilder<unknown>) => {
    await run(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await change.execute(tx)
    })
  }

  /** How many entries the database looks at to answer a read. */
  const entriesRead = async (read: (tx: Tx) => Promise<unknown>): Promise<number> => {
    queries = []
    await run(read)
    const sent = queries.filter(({ sql: text }) => /ledger\.entries/.test(text))
    expect(sent).to.have.length(1)
    let looked = 0
    for (const query of sent) {
      const { rows } = await run((tx) =>
        tx.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
          ...query,
          sql: `explain (analyze, timing off, format json) ${query.sql}`,
        }),
      )
      for (const row of rows) looked += lookedAt(row['QUERY PLAN'][0].Plan)
    }
    return looked
  }
})

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** The entries that a plan's scans came by, those left out by a filter among them. */
function lookedAt(node: PlanNode): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, Plans: inner = [] } = node
  const left = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Relation Name'] === 'entries' ? (rows + left) * loops : 0
  return inner.reduce((sum, each) => sum + lookedAt(each), own)
}
