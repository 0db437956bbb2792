import type { Session } from '../session.ts'

/** Queries for payouts: their stops, the appeals in their disputes, and the requested payouts. */
export function payoutStore(session: Session) {
  return {
    /**
     * Returns whether the service or an operator has stopped outflows of the hot wallet, or our requests to
     * the contract.
     */
    async arePayoutsStopped(place: 'hot_wallet' | 'escrow'): Promise<boolean> {
      const { rowCount } = await session.query(
        'select from market.payout_stops where lifted_at is null and place = $1 limit 1',
        [place],
      )
      return rowCount !== 0
    },

    /**
     * Returns the fees that were offered to the parties of a dispute, at most two. No login of the service
     * changes or deletes one; whether one was paid, only the chain shows.
     */
    async appealFees(disputeId: string): Promise<bigint[]> {
      const { rows } = await session.query<{ amount: string }>(
        'select amount_micros::text as amount from market.appeal_fees where dispute_id = $1 limit 2',
        [disputeId],
      )
      return rows.map(({ amount }) => BigInt(amount))
    },

    /**
     * Returns the payloads of requested payouts that have not ended, the largest first. They are not
     * verified.
     */
    async openPayouts(limit: number): Promise<unknown[]> {
      const { rows } = await session.query<{ payload: unknown }>(
        `select intent.payload from market.intents intent
         where intent.closed_at is null and intent.kind = 'payout' and intent.payload->>'amount' ~ '^[0-9]{1,18}$'
           and not exists (select from facilitator.outcomes outcome where outcome.intent_id = intent.id)
         order by (intent.payload->>'amount')::numeric desc limit $1`,
        [limit],
      )
      return rows.map(({ payload }) => payload)
    },
  }
}
