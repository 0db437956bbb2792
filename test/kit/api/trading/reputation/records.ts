import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../../api/platform/db/pool.ts'
import { randomHash, type TestMarket } from '../../trading.ts'

/** A record of an order that its reputation follows. */
export type ReputationRecord = 'settled' | 'rated' | 'decided' | 'superseded'

/** Every order in which they may come: a verdict is superseded once there is one. */
export const PERMUTATIONS: readonly ReputationRecord[][] = permutationsOf([
  'settled',
  'rated',
  'decided',
  'superseded',
] as const).filter((records) => records.indexOf('decided') < records.indexOf('superseded'))

function permutationsOf<Value>(values: readonly Value[]): Value[][] {
  if (values.length === 0) return [[]]
  return values.flatMap((value) =>
    permutationsOf(values.filter((other) => other !== value)).map((rest) => [value, ...rest]),
  )
}

/** Copies a funded order with its hold and its receipt, which is not final. Returns the id of the copy. */
export async function copyOrder(tx: Tx, orderId: string): Promise<string> {
  const id = randomUUID()
  const own = JSON.stringify({
    ...{ id, order_id: id, order_key: randomHash(), nonce: randomHash(), deposit_nonce: randomHash() },
    ...{ thread_id: null, receipt_id: null, dispute_id: null, hold_key: null },
  })
  await sql`insert into market.orders
    select copy.* from market.orders original, jsonb_populate_record(original, ${own}::jsonb) copy where original.id = ${orderId}`.execute(
    tx,
  )
  for (const table of ['holds', 'receipts']) {
    await sql`insert into ${sql.table(`market.${table}`)}
      select copy.* from ${sql.table(`market.${table}`)} original, jsonb_populate_record(original, ${own}::jsonb) copy
      where original.order_id = ${orderId}`.execute(tx)
  }
  return id
}

/**
 * Writes one record of an order, as its verb would. The first verdict is for the other side than the one that
 * stands.
 */
export async function record(
  tx: Tx,
  orderId: string,
  what: ReputationRecord,
  winner: 'buyer' | 'seller',
): Promise<void> {
  switch (what) {
    case 'settled':
      await sql`update market.holds set status = 'released', released_payer_micros = 1, released_fee_micros = 1,
        released_payee_micros = amount_micros - 2 where order_id = ${orderId}`.execute(tx)
      await sql`update market.receipts set finalized_at = '2026-01-01T00:00:00Z' where order_id = ${orderId}`.execute(
        tx,
      )
      return
    case 'rated':
      await sql`insert into market.ratings (id, order_id, seller_id, stars)
        select gen_random_uuid(), id, seller_id, 4 from market.orders where id = ${orderId}`.execute(tx)
      return
    case 'decided':
      await sql`insert into market.disputes (id, order_id, state, opener, outcome, refund_micros)
        values (${orderId}, ${orderId}, 'executing', 'buyer', 'verdict', 1)`.execute(tx)
      return decide(tx, orderId, 1, winner === 'buyer' ? 'seller' : 'buyer')
    case 'superseded':
      return decide(tx, orderId, 2, winner)
  }
}

async function decide(tx: Tx, orderId: string, sequence: number, winner: 'buyer' | 'seller'): Promise<void> {
  await sql`insert into market.verdicts (id, dispute_id, sequence, kind, winner, payer_micros, payee_micros, fee_micros, document,
      key_id, signature)
    values (gen_random_uuid(), ${orderId}, ${sequence}, 'rules', ${winner}, 1, 1, 1, '{}', '', '')`.execute(tx)
}

/** Returns the rows of a seller that its sums are made of, without what tells one order from another. */
export async function contributionsOf(db: Db, sellerId: string) {
  const { rows } = await sql<{ loser: string; stars: number | null }>`
    select loser, stars, finalized_at, weight, price_micros, refunded_micros, fee_micros, conceded, ineligible_because
    from market.contributions where subject_id = ${sellerId}`.execute(db)
  return rows
}

/**
 * Returns the rows that differ, either way, between what is kept and what is made anew from the records of
 * all orders.
 */
export async function differences({ api }: Pick<TestMarket, 'api'>): Promise<unknown[]> {
  const { rows } = await sql`
    with anew as materialized (
      select (source.order_id, source.subject_id, source.buyer_id, source.counterparty_id, source.finalized_at, source.weight,
        source.price_micros, source.refunded_micros, source.fee_micros, source.stars, source.loser, source.conceded,
        decided.ineligible_because)::market.contributions as row
      from market.contribution_sources source join market.contributions decided using (order_id)
    ), summed as materialized (
      select (anew.row).counterparty_id, (anew.row).price_micros as price, sums.subject_id, sums.receipts, sums.weighted_stars,
        sums.rated_weight, sums.lost_weight, sums.completed_weight, sums.volume_micros, sums.fee_micros, sums.conceded
      from anew cross join lateral market.sums_of(anew.row) sums
    ), pairs as (
      select subject_id, counterparty_id, sum(receipts) as receipts, sum(volume_micros) as volume, sum(weighted_stars) as stars,
        sum(rated_weight) as rated, sum(price) filter (where rated_weight > 0) as rated_micros
      from summed group by 1, 2
    ), made as (
      select 'contribution' as what, to_jsonb(row) as kept from anew
      union all
      select 'pair', jsonb_build_array(subject_id, counterparty_id, receipts, volume, stars, rated, coalesce(rated_micros, 0))
      from pairs
      union all
      select 'total', jsonb_build_array(subject_id, sum(receipts), sum(weighted_stars), sum(rated_weight), sum(lost_weight),
        sum(completed_weight), sum(volume_micros), sum(fee_micros), sum(conceded),
        (select count(*) from pairs where pairs.subject_id = summed.subject_id and volume > 0),
        (select max(volume) from pairs where pairs.subject_id = summed.subject_id), rank.weight, rank.stars)
      from summed join (
        select pair.subject_id as id, sum(term.weight) as weight, sum(term.stars) as stars
        from market.reputation_pairs pair cross join lateral market.rank_terms(pair) term group by 1
      ) rank on rank.id = subject_id
      group by subject_id, rank.weight, rank.stars
    ), kept as (
      select 'contribution', to_jsonb(contribution) from market.contributions contribution
      union all
      select 'pair', jsonb_build_array(subject_id, counterparty_id, receipts, price_micros, weighted_stars, rated_weight, rated_micros)
      from market.reputation_pairs
      union all
      select 'total', jsonb_build_array(subject_id, receipts, weighted_stars, rated_weight, lost_weight, completed_weight,
        volume_micros, fee_micros, conceded, counterparties, largest_micros, rank_weight, rank_stars)
      from market.reputation_totals
    )
    (select * from made except select * from kept) union all (select * from kept except select * from made)`.execute(
    api.db,
  )
  return rows
}
