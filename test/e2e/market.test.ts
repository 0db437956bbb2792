import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { freePort } from '../../cli/ports.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { auditFindings, untilBooksMatch, untilNothingIsOpen } from './books.ts'
import { passingTime } from './market/timers.ts'
import { wholeTrades } from './market/trade.ts'
import { stockClients } from './market/x402.ts'
import { createTrader } from './trading.ts'

// On one stack: to start one takes longer than many a test on it.
describe('a market', { timeout: 300_000 }, () => {
  let stack: Stack
  const x402 = { url: '', secret: randomBytes(32).toString('base64url') }

  before(async () => {
    const port = String(await freePort())
    x402.url = `http://127.0.0.1:${port}`
    stack = await startStack({ env: { X402_PORT: port, X402_SECRET: x402.secret } })
  })

  after(() => stack?.stop())

  wholeTrades(() => stack)
  stockClients(() => stack, x402)
  // After the others: it moves the clock.
  passingTime(() => stack)

  it('leaves books that match the chain, and nothing for an auditor to find', async () => {
    await untilNothingIsOpen(stack)
    await untilBooksMatch(stack)
    expect(await auditFindings(stack, await createTrader(stack))).to.deep.equal([])
  })
})
