import { after, before, describe } from 'node:test'
import { type Stack, startStack } from '../stack/stack.ts'
import { passingTime } from './market/timers.ts'
import { wholeTrades } from './market/trade.ts'
import { stockClients } from './market/x402.ts'

// On one stack: to start one takes longer than many a test on it.
describe('a market', { timeout: 300_000 }, () => {
  let stack: Stack

  before(async () => {
    stack = await startStack()
  })

  after(() => stack?.stop())

  wholeTrades(() => stack)
  stockClients(() => stack)
  // Last: it moves the clock.
  passingTime(() => stack)
})
