import { sql } from 'kysely'
import { type Db, openPool } from '../api/platform/db/pool.ts'
import { inTransaction } from '../api/platform/db/transaction.ts'
import { readReputation, readWindow } from '../api/trading/reputation/internal/read.ts'
import { startDurableDatabase } from '../test/kit/stack/database.ts'
import { type Arrived, prepareArrivals, startArrivals } from './reputation/arrivals.ts'
import { type BenchRow, figure, judged, percentile } from './rows.ts'

const RECEIPTS = 1_000_000
const AGENTS = 100_000
const OWNERS = 20_000
const ALPHA_BPS = 9_000n
const MONTHS = 24
const SAMPLES = 2_000
const BIG_SAMPLES = 200
const MAX_LOOKUP_MS = 10
const MAX_QUERY_MS = 50
const ARRIVALS_A_SECOND = 200
const MIN_ARRIVALS_A_SECOND = 195
// More than arrive during the measurement.
const ARRIVALS = 60_000

/**
 * Measures reputation among 1,000,000 receipts of 100,000 agents, of whom the biggest has about 21,000: a
 * lookup of the record, and a query over a window of months, each in a transaction of its own, as a request
 * does it. Meanwhile 200 receipts a second become final, on a durable server.
 */
export async function bench(): Promise<BenchRow[]> {
  const database = await startDurableDatabase()
  const db = openPool(database.url, { max: 2, onError: () => {} })
  try {
    const startedMs = performance.now()
    await fill(db)
    const orderIds = await prepareArrivals(db, ARRIVALS, AGENTS)
    const filledSeconds = (performance.now() - startedMs) / 1_000
    const agents = (
      await sql<{ id: string }>`select id from market.agents order by random() limit ${SAMPLES}`.execute(db)
    ).rows
    const biggest = await sql<{ subject_id: string; receipts: bigint }>`
      select subject_id, receipts from market.reputation_totals order by receipts desc limit 1`.execute(db)
    const [big] = biggest.rows
    if (!big) throw new Error('nobody has sold anything')
    const bigs = Array.from({ length: BIG_SAMPLES }, () => ({ id: big.subject_id }))
    const lookup = (id: string) =>
      inTransaction(db, 'read only', (tx) => readReputation(tx, { kind: 'agent', id }, ALPHA_BPS))
    const query = (id: string) => inTransaction(db, 'read only', (tx) => readWindow(tx, { kind: 'agent', id }, MONTHS))
    const arrivals = await startArrivals({ databaseUrl: database.url, orderIds, perSecond: ARRIVALS_A_SECOND })
    const rows = [
      ...(await measure('lookup', lookup, agents, MAX_LOOKUP_MS)),
      ...(await measure('lookup, the biggest', lookup, bigs, MAX_LOOKUP_MS)),
      ...(await measure(`query over ${MONTHS} months`, query, agents, MAX_QUERY_MS)),
      ...(await measure(`query over ${MONTHS} months, the biggest`, query, bigs, MAX_QUERY_MS)),
    ]
    return [
      figure('fill', filledSeconds, 's'),
      figure('receipts of the biggest seller', Number(big.receipts), ''),
      ...arrivalRows(await arrivals.stop()),
      ...rows,
    ]
  } finally {
    await db.destroy()
    await database.stop()
  }
}

function arrivalRows({ receipts, seconds, lagsMs }: Arrived): BenchRow[] {
  const perSecond = receipts / seconds
  return [
    figure('receipts that arrived meanwhile', receipts, ''),
    judged(
      figure('receipts arriving', perSecond, 'a second'),
      `≥ ${MIN_ARRIVALS_A_SECOND}`,
      perSecond >= MIN_ARRIVALS_A_SECOND,
    ),
    figure('from due to committed, p50', percentile(lagsMs, 0.5), 'ms'),
    figure('from due to committed, p99', percentile(lagsMs, 0.99), 'ms'),
  ]
}

async function measure(
  name: string,
  act: (id: string) => Promise<unknown>,
  agents: readonly { id: string }[],
  goalMs: number,
): Promise<BenchRow[]> {
  const samples: number[] = []
  for (const { id } of agents) {
    const startedMs = performance.now()
    await act(id)
    samples.push(performance.now() - startedMs)
  }
  const p99 = percentile(samples, 0.99)
  return [
    figure(`${name}, p50`, percentile(samples, 0.5), 'ms'),
    judged(figure(`${name}, p99`, p99, 'ms'), `< ${goalMs}`, p99 < goalMs),
  ]
}

/** Fills the tables by the sums that the service keeps: a few sellers have most of the receipts. */
async function fill(db: Db): Promise<void> {
  // What is measured reads no order.
  for (const column of ['order_id', 'subject_id', 'buyer_id', 'counterparty_id']) {
    const constraint = sql.id(`contributions_${column}_fkey`)
    await sql`alter table market.contributions drop constraint ${constraint}`.execute(db)
  }
  await sql`insert into market.humans (id, display_name, email)
    select gen_random_uuid(), 'Owner', 'owner' || place || '@example.com' from generate_series(1, ${OWNERS}::integer) place`.execute(
    db,
  )
  await sql`create table public.bench_owners as select id, row_number() over () - 1 as number from market.humans`.execute(
    db,
  )
  await sql`insert into market.agents (id, owner_id, display_name, description)
    select gen_random_uuid(), owner.id, 'Agent', '' from generate_series(0, ${AGENTS - 1}::integer) place
    join public.bench_owners owner on owner.number = place % ${OWNERS}::integer`.execute(db)
  await sql`create table public.bench_agents as select id, owner_id, row_number() over () - 1 as number from market.agents`.execute(
    db,
  )
  await sql`analyze public.bench_agents`.execute(db)
  await sql`
    with drawn as materialized (
      select floor(${AGENTS}::integer * power(random(), 3))::integer as seller, floor(${AGENTS}::integer * random())::integer as buyer,
        (100000 * power(10, 5 * random()))::bigint as price_micros, random() as luck,
        market.now() - make_interval(days => floor(1500 * random())::integer) as finalized_at
      from generate_series(1, ${RECEIPTS}::integer))
    insert into market.contributions (order_id, subject_id, buyer_id, counterparty_id, finalized_at, weight, price_micros,
      refunded_micros, fee_micros, stars, loser, conceded)
    select gen_random_uuid(), seller.id, buyer.id, buyer.owner_id, finalized_at, market.reputation_weight(price_micros), price_micros,
      case when luck < 0.02 then price_micros else 0 end, price_micros / 20, case when luck > 0.4 then ceil(5 * luck)::smallint end,
      case when luck < 0.02 then 'seller' when luck < 0.03 then 'buyer' end, false
    from drawn join public.bench_agents seller on seller.number = drawn.seller join public.bench_agents buyer on buyer.number = drawn.buyer`.execute(
    db,
  )
  await sql`
    insert into market.reputation_pairs
    select subject_id, counterparty_id, count(*), sum(price_micros - refunded_micros), coalesce(sum(weight * stars), 0),
      coalesce(sum(weight) filter (where stars is not null), 0), coalesce(sum(price_micros) filter (where stars is not null), 0)
    from market.contributions group by subject_id, counterparty_id`.execute(db)
  await sql`
    insert into market.reputation_totals
    select seller.*, pairs.counterparties, pairs.largest, pairs.weight, pairs.stars
    from (
      select subject_id, count(*), coalesce(sum(weight * stars), 0), coalesce(sum(weight) filter (where stars is not null), 0),
        coalesce(sum(weight) filter (where loser = 'seller'), 0), sum(weight), sum(price_micros - refunded_micros), sum(fee_micros), 0
      from market.contributions group by subject_id) seller
    join (
      select pair.subject_id, count(*) filter (where price_micros > 0) as counterparties, max(price_micros) as largest,
        sum(term.weight) as weight, sum(term.stars) as stars
      from market.reputation_pairs pair cross join lateral market.rank_terms(pair) term group by 1) pairs using (subject_id)`.execute(
    db,
  )
  await sql`vacuum analyze market.contributions`.execute(db)
  for (const table of ['totals', 'pairs'])
    await sql`vacuum analyze ${sql.table(`market.reputation_${table}`)}`.execute(db)
}
