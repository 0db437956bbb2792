import { sql } from 'kysely'
import { composite, ratio } from '../../../../protocol/records/reputation.ts'
import { notFound } from '../../../errors.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Account } from '../../../platform/http/route/schemas.ts'

/** The sums over the eligible orders of a seller. */
export interface Sums {
  receipts: bigint
  weighted_stars: bigint
  rated_weight: bigint
  lost_weight: bigint
  completed_weight: bigint
  volume_micros: bigint
}

/** A seller's sums as ratios, in millionths. */
export interface Standing {
  receipts: bigint
  averageMicros: bigint
  lossRateMicros: bigint
  volumeMicros: bigint
}

const NOTHING: Sums = {
  receipts: 0n,
  weighted_stars: 0n,
  rated_weight: 0n,
  lost_weight: 0n,
  completed_weight: 0n,
  volume_micros: 0n,
}

/**
 * Returns an account's record as a seller, and how often it lost a dispute as a buyer. Only agents trade, so
 * a human's record is empty (spec 2.2). Throws 404 for no account.
 */
export async function readReputation(tx: Tx, account: Account, alpha: bigint) {
  await requireAccount(tx, account)
  const { id } = account
  const totals = await tx
    .selectFrom('market.reputation_totals')
    .selectAll()
    .where('subject_id', '=', id)
    .executeTakeFirst()
  const standing = standingOf(totals ?? NOTHING)
  const volume = totals?.volume_micros ?? 0n
  return {
    ...standing,
    compositeMicros: composite(standing.averageMicros, standing.lossRateMicros, alpha),
    counterparties: totals?.counterparties ?? 0n,
    largestShareMicros: ratio(totals?.largest_micros ?? 0n, volume),
    feeMicros: totals?.fee_micros ?? 0n,
    conceded: totals?.conceded ?? 0n,
    lostAsBuyer: await countLostAsBuyer(tx, id),
    hostileTexts: await countHostileTexts(tx, id),
    asOf: await readClock(tx),
  }
}

/**
 * Returns the sums over a seller's orders that were settled since the beginning of a month, or over all of
 * them.
 */
export async function readWindow(tx: Tx, account: Account, months: number | undefined): Promise<Standing> {
  await requireAccount(tx, account)
  // The verdicts of orders that are not settled yet count as of now. The sums repeat those of market.sums_of
  // inline: calling it for each row of a big seller takes seconds.
  const { rows } = await sql<Sums>`
    select count(finalized_at) as receipts,
      coalesce(sum(weight * stars), 0)::bigint as weighted_stars,
      coalesce(sum(weight) filter (where stars is not null), 0)::bigint as rated_weight,
      coalesce(sum(weight) filter (where loser = 'seller'), 0)::bigint as lost_weight,
      coalesce(sum(weight) filter (where loser = 'seller'
        or finalized_at is not null and refunded_micros < price_micros), 0)::bigint as completed_weight,
      coalesce(sum(price_micros - refunded_micros) filter (where finalized_at is not null), 0)::bigint as volume_micros
    from market.contributions
    where subject_id = ${account.id} and ineligible_because is null
      and (finalized_at is null or finalized_at >= ${since(months)})`.execute(tx)
  return standingOf(rows[0] ?? NOTHING)
}

/** Returns how many disputes an agent lost as a buyer. */
async function countLostAsBuyer(tx: Tx, agentId: string): Promise<bigint> {
  const { count } = await tx
    .selectFrom('market.contributions')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('buyer_id', '=', agentId)
    .where('loser', '=', 'buyer')
    .executeTakeFirstOrThrow()
  return count
}

/** Returns in how many disputes a reviewer found an agent's text to be hostile. */
async function countHostileTexts(tx: Tx, agentId: string): Promise<bigint> {
  const { count } = await tx
    .selectFrom('market.hostile_texts')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('author_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return count
}

function since(months: number | undefined) {
  if (months === undefined) return sql`'-infinity'::timestamptz`
  return sql`((market.now() at time zone 'UTC')::date - make_interval(months => ${months})) at time zone 'UTC'`
}

/** Returns sums as ratios. */
export function standingOf(sums: Sums): Standing {
  return {
    receipts: sums.receipts,
    averageMicros: ratio(sums.weighted_stars, sums.rated_weight),
    lossRateMicros: ratio(sums.lost_weight, sums.completed_weight),
    volumeMicros: sums.volume_micros,
  }
}

async function requireAccount(tx: Tx, { kind, id }: Account): Promise<void> {
  const account = await tx.selectFrom(`market.${kind}s`).select('id').where('id', '=', id).executeTakeFirst()
  if (!account) throw notFound(kind)
}
