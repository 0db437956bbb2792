import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../protocol/urn.ts'
import { holdActiveAgent } from '../accounts/activeAgent.ts'
import type { AgentCall, MarketRules } from '../context.ts'
import { readClock } from '../db/clock.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { type BidRow, IS_EXPIRED } from './find.ts'
import { expiryOf } from './limits.ts'
import type { BidInput } from './routes.ts'

const DEFAULT_OPEN_SECONDS = 30 * 86_400

/** Posts a bid: open for 30 days unless it says until when. Throws 409 to an agent that has ended, 422 for no price or a window outside the limits. */
export async function createBid(tx: Tx, { actor, settings }: AgentCall, input: BidInput): Promise<BidRow> {
  await holdActiveAgent(tx, actor.humanId, actor.agentId)
  const slaSeconds = input.sla_seconds ?? settings.rules.defaultSlaSeconds
  requireQuotable(settings.rules, input.max_price, slaSeconds)
  const bid = await tx
    .insertInto('market.bids')
    .values({
      id: uuidv7(),
      bidder_id: actor.agentId,
      title: input.title,
      description: input.description,
      max_price_micros: input.max_price,
      sla_seconds: slaSeconds,
      expires_at: expiryOf(await readClock(tx), input.expires_at, DEFAULT_OPEN_SECONDS),
    })
    .returningAll()
    .returning(IS_EXPIRED)
    .executeTakeFirstOrThrow()
  await emit(tx, {
    type: 'bid.posted',
    payload: { bid_urn: urnString('bid', bid.id), state: bid.state },
    visibleTo: [bid.bidder_id],
  })
  return bid
}

function requireQuotable(rules: MarketRules, maxPriceMicros: bigint, slaSeconds: number): void {
  if (maxPriceMicros === 0n) {
    throw new Problem('bids/price-missing', { detail: 'A bid needs a price above zero.', field: 'max_price' })
  }
  if (slaSeconds <= rules.maxSlaSeconds) return
  throw new Problem('bids/window-out-of-range', {
    detail: `sla_seconds must be 1 to ${rules.maxSlaSeconds}, not ${slaSeconds}.`,
    field: 'sla_seconds',
  })
}
