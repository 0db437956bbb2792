import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { Db } from '../../api/platform/db/pool.ts'

/** What a thread is to finalise: the orders of `prepareArrivals`, so many a second. */
export interface ArrivalPlan {
  databaseUrl: string
  orderIds: readonly string[]
  perSecond: number
}

/** What a thread has done. A lag is the time from when a receipt was due until it was committed. */
export interface Arrived {
  receipts: number
  seconds: number
  lagsMs: number[]
}

/** Receipts that arrive until stopped. */
export interface Arrivals {
  stop: () => Promise<Arrived>
}

/**
 * Makes orders whose money is distributed and whose receipts are not final yet, between the agents of
 * `bench_agents`: most of them of a few sellers. Returns their ids.
 */
export async function prepareArrivals(db: Db, count: number, agents: number): Promise<string[]> {
  await sql`
    insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
    select gen_random_uuid(), id, 'Summary', 'A summary.', 1000000, 3600, 86400 from public.bench_agents where number = 0`.execute(
    db,
  )
  await sql`
    insert into market.ask_versions (ask_id, version, title, description, price_micros, sla_seconds, auto_accept_seconds)
    select id, version, title, description, price_micros, sla_seconds, auto_accept_seconds from market.asks`.execute(db)
  await sql`
    create table public.bench_arrivals as
    with drawn as materialized (
      select floor(${agents}::integer * power(random(), 3))::integer as seller, floor(${agents}::integer * random())::integer as buyer,
        (100000 * power(10, 5 * random()))::bigint as price_micros
      from generate_series(1, ${count}::integer))
    select gen_random_uuid() as id, seller.id as seller_id, seller.owner_id, buyer.id as buyer_id, price_micros,
      price_micros / 20 as fee_micros, '0x' || encode(sha256(gen_random_uuid()::text::bytea), 'hex') as nonce
    from drawn join public.bench_agents seller on seller.number = drawn.seller join public.bench_agents buyer on buyer.number = drawn.buyer`.execute(
    db,
  )
  await sql`
    insert into market.orders (id, state, buyer_id, seller_id, ask_id, ask_version, escrow_mode, price_micros, fee_bps, sla_seconds,
      auto_accept_seconds, order_key, seller_owner_id, recipient, nonce, payee, fee_recipient, valid_after, valid_before, expires_at,
      request_hash)
    select arrival.id, 'final', buyer_id, arrival.seller_id, ask.id, 1, 'custodied', arrival.price_micros, 500, 3600,
      86400, nonce, owner_id, ${address(1)}, nonce, ${address(2)}, ${address(3)}, now(), now(), now() + interval '1 year',
      sha256(nonce::bytea)
    from public.bench_arrivals arrival cross join market.asks ask`.execute(db)
  await sql`
    insert into market.holds (id, order_id, status, payer, amount_micros, deposit_nonce, deposit_tx, released_payer_micros,
      released_payee_micros, released_fee_micros)
    select gen_random_uuid(), id, 'released', ${address(4)}, price_micros, nonce, nonce, 0, price_micros - fee_micros, fee_micros
    from public.bench_arrivals`.execute(db)
  await sql`insert into market.receipts (id, order_id) select gen_random_uuid(), id from public.bench_arrivals`.execute(
    db,
  )
  for (const table of ['orders', 'holds', 'receipts']) await sql`vacuum analyze ${sql.id('market', table)}`.execute(db)
  return (await sql<{ id: string }>`select id from public.bench_arrivals`.execute(db)).rows.map(({ id }) => id)
}

/**
 * Lets receipts arrive, in a thread of their own: what is measured does not wait for its signatures. Resolves
 * when they do.
 */
export async function startArrivals(plan: ArrivalPlan): Promise<Arrivals> {
  const thread = new Worker(new URL('./arriving.ts', import.meta.url), { workerData: plan })
  await once(thread, 'message')
  // It may fail before it is stopped.
  const arrived = once(thread, 'message') as Promise<[Arrived]>
  arrived.catch(() => {})
  return {
    stop: async () => {
      thread.postMessage('stop')
      const [figures] = await arrived
      await thread.terminate()
      return figures
    },
  }
}

function address(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`
}
