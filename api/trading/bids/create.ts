import { newId } from '../../../protocol/encoding/ids.ts'
import type { AgentCall, MarketRules } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { holdActiveAgent } from '../../identity/accounts/owner.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { emit } from '../../platform/events/emit.ts'
import { toColumns } from '../criteria/schema.ts'
import { type BidRow, IS_EXPIRED } from './find.ts'
import { bidPayload } from './internal/announce.ts'
import { expiryOf } from './internal/limits.ts'
import { bidEvents } from './module.ts'
import { bidProblems } from './problems.ts'
import type { BidInput } from './routes.ts'

/**
 * Posts a bid, open for rules.defaultBidSeconds unless it states an expiry. Throws 409 for a deactivated
 * agent, 422 without a price or for a window outside the limits.
 */
export async function createBid(tx: Tx, { actor, settings }: AgentCall, input: BidInput): Promise<BidRow> {
  await holdActiveAgent(tx, actor.humanId, actor.agentId)
  const slaSeconds = input.sla_seconds ?? settings.rules.defaultSlaSeconds
  requireQuotable(settings.rules, input.max_price, slaSeconds)
  const bid = await tx
    .insertInto('market.bids')
    .values({
      id: newId(),
      bidder_id: actor.agentId,
      title: input.title,
      description: input.description,
      max_price_micros: input.max_price,
      sla_seconds: slaSeconds,
      ...toColumns(input),
      expires_at: expiryOf(settings.rules, await readClock(tx), input.expires_at, settings.rules.defaultBidSeconds),
    })
    .returningAll()
    .returning(IS_EXPIRED)
    .executeTakeFirstOrThrow()
  await emit(tx, bidEvents['bid.posted'], {
    payload: bidPayload(bid),
    visibleTo: [bid.bidder_id],
  })
  return bid
}

function requireQuotable(rules: MarketRules, maxPriceMicros: bigint, slaSeconds: number): void {
  if (maxPriceMicros === 0n) {
    throw new Problem(bidProblems.priceMissing, { detail: 'A bid needs a price above zero.', field: 'max_price' })
  }
  if (slaSeconds <= rules.maxSlaSeconds) return
  throw new Problem(bidProblems.windowOutOfRange, {
    detail: `sla_seconds must be 1 to ${rules.maxSlaSeconds}, not ${slaSeconds}.`,
    field: 'sla_seconds',
  })
}
