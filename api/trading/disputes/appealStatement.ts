import { urnString } from '../../../protocol/urn.ts'
import type { AgentCall } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { feesOf } from '../../payments/fees/find.ts'
import { audit } from '../../platform/audit/audit.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { agentOf, lockDispute, type OwnDispute } from './find.ts'
import { screen } from './screener/screen.ts'
import { readTexts } from './texts.ts'
import { stateConflict } from './transition.ts'

/**
 * Records what a party says to the human who hears an appeal: an appellant from its appeal on, the other side once the fee is
 * paid. Reviewers read it, with what the screener found in it; rules and models do not. Throws 404 for strangers, 409 where no
 * appeal is open to the caller, and for a second statement.
 */
export async function stateAppeal(tx: Tx, { actor }: AgentCall, disputeId: string, statement: string): Promise<void> {
  const own = await lockDispute(tx, actor, disputeId)
  const { order, dispute, party } = own
  if (dispute.state !== 'decided' && dispute.state !== 'in_review') throw stateConflict(['decided', 'in_review'])
  if (!(await isHeard(tx, own))) throw conflict('There is no appeal that you can speak to.')
  const authorId = agentOf(order, party)
  const kept = await tx
    .insertInto('market.appeal_statements')
    .values({
      ...{ dispute_id: disputeId, party, author_id: authorId, statement },
      screening: JSON.stringify(await screenStatement(tx, own, statement)),
    })
    .onConflict((conflict) => conflict.columns(['dispute_id', 'party']).doNothing())
    .returning('party')
    .executeTakeFirst()
  if (!kept) throw conflict('You have said this already: each side states its case once.')
  await audit(tx, {
    actor: urnString('agent', authorId),
    action: 'appeal.state',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', disputeId) },
  })
}

/** Returns whether the caller has an appeal that is to be paid, or either side one that is heard. */
async function isHeard(tx: Tx, { dispute, party }: OwnDispute): Promise<boolean> {
  const fees = await feesOf(tx, dispute.id)
  return fees.some((fee) => fee.state === 'held' || (fee.state === 'offered' && fee.party === party))
}

/** Scores a statement alone. What it quotes of the other side is the other side's. */
async function screenStatement(tx: Tx, { order, dispute, party }: OwnDispute, text: string) {
  const others = (await readTexts(tx, order, dispute.id)).filter(({ side }) => side !== party)
  return screen([...others, { side: party, at: (await readClock(tx)).toISOString(), text }])[party]
}

function conflict(detail: string): Problem {
  return new Problem('disputes/state-conflict', { detail })
}
