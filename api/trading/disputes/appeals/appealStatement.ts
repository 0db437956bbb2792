import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { Problem, requireAllowed } from '../../../errors.ts'
import { feesOf } from '../../../payments/appealFees/find.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { readTexts } from '../facts/texts.ts'
import { agentOf, lockDispute, type OwnDispute } from '../record/find.ts'
import { refuseHearing } from '../record/guards.ts'
import { disputeProblems } from '../record/problems.ts'
import type { Score } from '../screener/score.ts'
import { type Said, scoreSide } from '../screener/screen.ts'

/**
 * Records a party's statement to the human who hears an appeal. An appellant can make it from its appeal on,
 * the other side once the fee is paid, until the time for statements ends. Reviewers read it with the
 * screener's findings; rules and models do not. Throws 404 for strangers, 409 where no appeal is open to the
 * caller, and for a second statement.
 */
export async function stateAppeal(tx: Tx, { actor }: AgentCall, disputeId: string, statement: string): Promise<void> {
  const own = await lockDispute(tx, actor, disputeId)
  const { order, party } = own
  requireAllowed(refuseHearing(own, await feesOf(tx, disputeId), await readClock(tx)))
  const authorId = agentOf(order, party)
  const kept = await tx
    .insertInto('market.appeal_statements')
    .values({
      ...{ dispute_id: disputeId, party, author_id: authorId, statement },
      screening: JSON.stringify(await screenForAppeal(tx, own, [{ text: statement }])),
    })
    .onConflict((conflict) => conflict.columns(['dispute_id', 'party']).doNothing())
    .returning('party')
    .executeTakeFirst()
  if (!kept) {
    throw new Problem(disputeProblems.stateConflict, {
      detail: 'You have stated your case. Each side does so once.',
    })
  }
  await audit(tx, {
    actor: urnString('agent', authorId),
    action: 'appeal.state',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', disputeId) },
  })
}

/**
 * Scores a party's material in an appeal by itself. Quotations of the other side count as the other side's
 * text.
 */
export async function screenForAppeal(
  tx: Tx,
  { order, dispute, party }: OwnDispute,
  words: readonly Pick<Said, 'text' | 'isGoods' | 'isName'>[],
): Promise<Score> {
  const others = (await readTexts(tx, order, dispute.id)).filter(({ side }) => side !== party)
  const at = (await readClock(tx)).toISOString()
  return scoreSide([...others, ...words.map((one) => ({ ...one, side: party, at }))], party)
}
