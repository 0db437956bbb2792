import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { Problem } from '../../../../api/errors.ts'
import type { DisputeState } from '../../../../api/platform/db/generated/tables.ts'
import { type DisputeTransition, disputeTransitions } from '../../../../api/trading/disputes/record/states.ts'
import { transition } from '../../../../api/trading/disputes/record/transition.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { type DisputedTrade, disputeIn, disputeOf } from '../../../kit/api/trading/disputes/world.ts'

const STATES = Object.keys({
  open: true,
  pre_review: true,
  arbitrating: true,
  in_review: true,
  decided: true,
  executing: true,
  closed: true,
} satisfies Record<DisputeState, true>) as DisputeState[]

// What may be done in each state, and by whom: test/system/walks/disputes.test.ts.
describe('the transition table of a dispute', () => {
  let world: World
  let trade: DisputedTrade
  before(async () => {
    world = await startWorld()
    trade = await disputeIn(world, 'custodied', 'open')
  })
  after(() => world?.stop())

  it('allows what it names, and changes nothing otherwise', async () => {
    for (const event of Object.keys(disputeTransitions) as DisputeTransition[]) {
      for (const state of STATES) await tryEvent(event, state)
    }
  })

  const tryEvent = async (event: DisputeTransition, state: DisputeState) => {
    const { from, to } = disputeTransitions[event]
    await setState(state)
    const shape = ending(to)
    const outcome = await world.run((tx) => transition(tx, trade.disputeId, event, shape)).catch((error) => error)
    const found = (await disputeOf(world, trade)).state
    if ((from as readonly DisputeState[]).includes(state)) expect(found, `${event} from ${state}`).to.equal(to)
    else {
      expect(outcome).to.be.instanceOf(Problem).with.property('problem', 'disputes/state-conflict')
      expect(found, `${event} from ${state}`).to.equal(state)
    }
  }
  const setState = (state: DisputeState) =>
    world.db
      .updateTable('market.disputes')
      .set({ state, ...ending(state) })
      .where('id', '=', trade.disputeId)
      .execute()
  const ending = (state: DisputeState) => ({
    due_at: state === 'executing' || state === 'closed' ? null : new Date(),
    outcome: state === 'executing' || state === 'closed' ? ('verdict' as const) : null,
    closed_at: state === 'closed' ? new Date() : null,
  })
})
