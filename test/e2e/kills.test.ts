import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type CrashStack, startCrashStack } from './crashStack.ts'
import { finish } from './persistence.ts'
import { expectCleanAudit, expectSettledOnce } from './settlement.ts'
import { rage } from './storm.ts'
import { MODES, type Placed, place } from './trading.ts'

describe('kill -9 of one process after the other, at any moment', () => {
  let running: CrashStack
  const trades: Placed[] = []

  before(async () => {
    running = await startCrashStack()
  })

  after(() => running?.stop())

  test('each trade completes, paid in once and paid out once', async (context) => {
    const { stack, parties } = running
    const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31))
    context.diagnostic(`seed ${seed}: CRASH_SEED=${seed} kills at the same moments again`)
    const storm = rage(stack, seed)
    const traders = Array.from({ length: 2 * MODES.length }, async (_, index) => {
      const mode = MODES[index % MODES.length] ?? 'contract'
      do {
        const trade = await place(parties, { mode })
        trades.push(trade)
        await finish(stack, parties, trade)
      } while (!storm.isOver())
    })
    await Promise.all([storm.over, ...traders])
    await expectSettledOnce(stack, parties, { paidOut: trades })
  })

  test('an auditor finds nothing', () => expectCleanAudit(running.stack, running.parties, trades))
})
