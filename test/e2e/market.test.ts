import { after, before, describe, it } from 'node:test'
import { kills } from '../faults/scenes/kills.ts'
import { reorganisationOfPayments } from '../faults/scenes/reorganisations.ts'
import { untilBooksMatch, untilNothingIsOpen } from './books.ts'
import { createTraders, type FaultStack, type Scene, startFaultStack } from './faultStack.ts'
import { quickStart } from './quickstart.ts'
import { expectCleanAudit } from './settlement.ts'
import { wholeTrades } from './trade.ts'

// All on one stack: to start one takes longer than most of its tests.
describe('a market on real processes', { timeout: 600_000 }, () => {
  let running: FaultStack

  before(async () => {
    running = await startFaultStack()
  })

  after(() => running?.stop())

  wholeTrades(() => running.stack)
  quickStart(() => running.stack)

  describe('with a fault of each kind (test/system has the others)', () => {
    let scene: Scene

    before(async () => {
      scene = { ...running, ...(await createTraders(running)) }
    })

    kills(() => scene, ['facilitator'])
    reorganisationOfPayments(() => scene)

    it('has books that match the chain, and nothing for an auditor to find', async () => {
      await untilNothingIsOpen(scene.stack)
      await untilBooksMatch(scene.stack)
      await expectCleanAudit(scene)
    })
  })
})
