import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import type { OrderRow, Party } from '../../orders/record/find.ts'
import { agentOf } from './find.ts'
import type { Ground } from './grounds.ts'

/** A party's statement on the dispute, and the refund that it asks for or offers. */
export interface Statement {
  grounds: readonly Ground[]
  what_happened: string
  wanted?: string | undefined
  requested_refund?: bigint | undefined
  offered_refund?: bigint | undefined
}

/**
 * Stores a party's text: the opener's statement, or the other side's response. Throws request/invalid (400),
 * naming the member, for a refund above the price, or one that only the other party may name.
 */
export async function keepStatement(
  tx: Tx,
  { order, disputeId, party, field }: { order: OrderRow; disputeId: string; party: Party; field: string },
  statement: Statement,
): Promise<void> {
  const { requested_refund: requested, offered_refund: offered } = statement
  if (party === 'seller' && requested !== undefined)
    throw invalid(`${field}.requested_refund`, 'can be set only by the buyer')
  if (party === 'buyer' && offered !== undefined)
    throw invalid(`${field}.offered_refund`, 'can be set only by the seller')
  const refund = party === 'buyer' ? requested : offered
  if (refund !== undefined && refund > order.price_micros) {
    const member = party === 'buyer' ? 'requested_refund' : 'offered_refund'
    throw invalid(`${field}.${member}`, `is above the price, ${formatAmount(order.price_micros)}`)
  }
  await tx
    .insertInto('market.dispute_statements')
    .values({
      dispute_id: disputeId,
      party,
      author_id: agentOf(order, party),
      grounds: [...new Set(statement.grounds)],
      what_happened: statement.what_happened,
      wanted: statement.wanted ?? null,
      refund_micros: refund ?? null,
    })
    .execute()
}

function invalid(field: string, message: string): Problem {
  return new Problem(httpProblems.invalid, { detail: `${field}: ${message}.`, field })
}
