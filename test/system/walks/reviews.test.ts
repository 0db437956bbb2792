import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { v7 as uuidv7 } from 'uuid'
import { Problem } from '../../../api/errors.ts'
import { createHuman } from '../../../api/identity/accounts/createHuman.ts'
import type { DisputeState } from '../../../api/platform/db/generated/tables.ts'
import type { Tx } from '../../../api/platform/db/pool.ts'
import { clearText } from '../../../api/trading/disputes/assignment/clear.ts'
import { REVIEW_ACTIONS, type ReviewAction } from '../../../api/trading/disputes/record/guards.ts'
import { decideCase } from '../../../api/trading/disputes/reviews/internal/decide.ts'
import { readCase } from '../../../api/trading/disputes/reviews/internal/read.ts'
import { toCase } from '../../../api/trading/disputes/reviews/internal/wire.ts'
import { suspendOrder } from '../../../api/trading/orders/record/transition.ts'
import { startWorld, type World } from '../../kit/api/payments/escrow/world.ts'
import { type DisputedTrade, disputeIn, REFUND } from '../../kit/api/trading/disputes/world.ts'

type Call = Parameters<typeof readCase>[1]

/**
 * What a reviewer may do in each state of a dispute, who has decided already or not. Nothing in a state that
 * is not named.
 */
const WALK: Partial<Record<DisputeState, { undecided: ReviewAction[]; decided: ReviewAction[] }>> = {
  pre_review: { undecided: ['clear', 'decide'], decided: ['clear'] },
  in_review: { undecided: ['decide'], decided: [] },
}
const STATES = Object.keys({
  open: true,
  pre_review: true,
  arbitrating: true,
  in_review: true,
  decided: true,
  executing: true,
  closed: true,
} satisfies Record<DisputeState, true>) as DisputeState[]

const CALLS: Readonly<Record<ReviewAction, (tx: Tx, call: Call, disputeId: string) => Promise<unknown>>> = {
  clear: (tx, call, id) => clearText(tx, call, id, false),
  decide: (tx, call, id) => decideCase(tx, call, id, { refundMicros: REFUND, grounds: 'I have read it.' }),
}

describe('what a reviewer may do with a case', () => {
  let world: World
  let people: Record<'undecided' | 'decided' | 'unassigned', string>
  before(async () => {
    world = await startWorld()
    people = { undecided: await operator(), decided: await operator(), unassigned: await operator() }
  })
  after(() => world?.stop())

  const operator = async () => {
    const profile = { displayName: 'A reviewer', email: 'reviewer@example.com', role: 'operator' as const }
    const { urn } = await world.db
      .transaction()
      .execute((tx) => createHuman(tx, world.settings, { ...profile, createdBy: null }))
    return urn.body
  }
  const assign = async ({ disputeId: dispute_id }: DisputedTrade) => {
    const decision = { refund_micros: REFUND, grounds: 'I have read it.', decided_at: new Date() }
    const rows = [
      { id: uuidv7(), dispute_id, reviewer_id: people.undecided },
      { id: uuidv7(), dispute_id, reviewer_id: people.decided, ...decision },
    ]
    for (const row of rows) await world.db.insertInto('market.reviews').values(row).execute()
  }
  const callOf = ({ buyer }: DisputedTrade, humanId: string): Call => ({
    ...buyer.call,
    actor: { ...buyer.call.actor, humanId, agentId: null, isOperator: true },
  })
  /** What a reviewer reads that they may do: nothing of a case that is not shown. */
  const mayOf = (call: Call, disputeId: string) =>
    orRefused(world.run(async (tx) => toCase(await readCase(tx, call, disputeId)).may)).then((may) => may ?? [])
  /** Whether a call does what it says. Nothing of it stays. */
  const isAllowed = async (call: Call, disputeId: string, action: ReviewAction) => {
    const undone = new Error('undone')
    const tried = world.run(async (tx) => {
      await CALLS[action](tx, call, disputeId)
      throw undone
    })
    const outcome: unknown = await tried.catch((error: unknown) => error)
    if (outcome !== undone) expect(outcome, action).to.be.instanceOf(Problem)
    return outcome === undone
  }
  const expectMay = async (trade: DisputedTrade, expected: Record<keyof typeof people, ReviewAction[]>) => {
    for (const [who, humanId] of Object.entries(people) as [keyof typeof people, string][]) {
      const call = callOf(trade, humanId)
      const allowed: ReviewAction[] = []
      for (const action of REVIEW_ACTIONS) if (await isAllowed(call, trade.disputeId, action)) allowed.push(action)
      expect(allowed, who).to.deep.equal(expected[who])
      expect(await mayOf(call, trade.disputeId), who).to.deep.equal(allowed)
    }
  }

  for (const state of STATES) {
    it(`in ${state}: is what the calls then answer, to who has decided or not, and to nobody else`, async () => {
      const trade = await disputeIn(world, 'contract', state)
      await assign(trade)
      await expectMay(trade, { undecided: [], decided: [], ...WALK[state], unassigned: [] })
    })
  }

  for (const state of ['pre_review', 'in_review'] as const) {
    it(`in ${state}: is no decision while the payment is gone from the chain`, async () => {
      const trade = await disputeIn(world, 'contract', state)
      await assign(trade)
      await world.run((tx) => suspendOrder(tx, trade.orderId))
      const clear: ReviewAction[] = state === 'pre_review' ? ['clear'] : []
      await expectMay(trade, { undecided: clear, decided: clear, unassigned: [] })
    })
  }
})

/** Returns what a read answers, or undefined where it is refused. */
async function orRefused<Answer>(read: Promise<Answer>): Promise<Answer | undefined> {
  return read.catch((error: unknown) => {
    if (error instanceof Problem) return undefined
    throw error
  })
}
