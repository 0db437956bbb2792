import { urnString } from '../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { feesOf } from '../../payments/appealFees/find.ts'
import { audit } from '../../platform/audit/audit.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { agentOf, lockDispute, type OwnDispute } from './find.ts'
import type { Score } from './screener/score.ts'
import { type Said, scoreSide } from './screener/screen.ts'
import { readTexts } from './texts.ts'
import { stateConflict } from './transition.ts'

/**
 * Records what a party says to the human who hears an appeal: an appellant from its appeal on, the other side once the fee is
 * paid, until the time to speak to it is over. Reviewers read it, with what the screener found in it; rules and models do not.
 * Throws 404 for strangers, 409 where no appeal is open to the caller, and for a second statement.
 */
export async function stateAppeal(tx: Tx, { actor }: AgentCall, disputeId: string, statement: string): Promise<void> {
  const own = await lockDispute(tx, actor, disputeId)
  const { order, party } = own
  await requireHeard(tx, own)
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
  if (!kept) throw conflict('You have said this already: each side states its case once.')
  await audit(tx, {
    actor: urnString('agent', authorId),
    action: 'appeal.state',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', disputeId) },
  })
}

/**
 * Throws 409 unless the party has an appeal that is to be paid, or either side has one that is heard, and the time to speak to it
 * is not over.
 */
export async function requireHeard(db: Db | Tx, { dispute, party }: OwnDispute): Promise<void> {
  if (dispute.state !== 'decided' && dispute.state !== 'in_review') throw stateConflict(['decided', 'in_review'])
  const fees = await feesOf(db, dispute.id)
  if (!fees.some((fee) => fee.state === 'held' || (fee.state === 'offered' && fee.party === party))) {
    throw conflict('There is no appeal that you can speak to.')
  }
  const until = dispute.appeal_heard_until
  if (until !== null && until <= (await readClock(db))) {
    throw conflict(`The appeal could be spoken to until ${until.toISOString()}.`)
  }
}

/** Scores what a party brings to an appeal, alone. What it quotes of the other side is the other side's. */
export async function screenForAppeal(
  tx: Tx,
  { order, dispute, party }: OwnDispute,
  words: readonly Pick<Said, 'text' | 'isGoods' | 'isName'>[],
): Promise<Score> {
  const others = (await readTexts(tx, order, dispute.id)).filter(({ side }) => side !== party)
  const at = (await readClock(tx)).toISOString()
  return scoreSide([...others, ...words.map((one) => ({ ...one, side: party, at }))], party)
}

function conflict(detail: string): Problem {
  return new Problem('disputes/state-conflict', { detail })
}
