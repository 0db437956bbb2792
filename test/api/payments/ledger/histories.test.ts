import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import {
  bookedFigures,
  expectedFigures,
  faults,
  misfits,
  newestAccount,
} from '../../../kit/api/payments/ledger/histories/books.ts'
import { live } from '../../../kit/api/payments/ledger/histories/live.ts'
import { plan } from '../../../kit/api/payments/ledger/histories/plan.ts'
import { newStage } from '../../../kit/api/payments/ledger/histories/stage.ts'

const HISTORIES = Number(process.env.HISTORIES ?? (process.env.MARKET_TEST_DEEP ? 1_000 : 10))
const MOST_AT_ONCE = 6
/** What must never be is looked for so often: the books grow, and it takes all of them. */
const LOOK_EVERY = Math.ceil(HISTORIES / 20)

const TIMEOUT_MS = HISTORIES * 10_000

describe(`the ledger after ${HISTORIES} histories of up to ${MOST_AT_ONCE} trades, payments and sweeps at once`, {
  timeout: TIMEOUT_MS,
}, () => {
  let started: World

  before(async () => {
    started = await startWorld()
  })

  after(() => started.stop())

  test('is balanced, owes nobody less than nothing, and says what the chain does', {
    timeout: TIMEOUT_MS,
  }, async (context) => {
    const seed = Number(process.env.HISTORIES_SEED ?? randomInt(2 ** 31))
    context.diagnostic(
      `seed ${seed}: HISTORIES=${HISTORIES} HISTORIES_SEED=${seed} with ./market test deep repeats the same ones`,
    )
    const stage = await newStage(started)
    let lived = 0
    let plans = 0
    const look = async () => {
      expect(await bookedFigures(stage.world)).to.deep.equal(expectedFigures(stage.world, stage.chain))
      expect(await faults(stage.world)).to.deep.equal([])
      expect(await misfits(stage.world)).to.deep.equal([])
    }
    const history = fc.array(plan, { minLength: 1, maxLength: MOST_AT_ONCE })
    const property = fc.asyncProperty(history, async (those) => {
      await watched(stage.world, () => Promise.all(those.map((each) => live(stage, each))))
      plans += those.length
      if (++lived % LOOK_EVERY === 0) await look()
    })
    // One history after the other, on the same books: what one leaves is where the next begins. So none can
    // be shrunk.
    await fc.assert(property, { seed, numRuns: HISTORIES, endOnFailure: true })
    await look()
    context.diagnostic(`${lived} histories of ${plans} trades, payments and sweeps`)
  })
})

/**
 * Something happens; all the while the accounts that trades share, and those it opens, are what orders and
 * payouts say.
 */
async function watched(world: World, act: () => Promise<unknown>): Promise<void> {
  const since = await newestAccount(world)
  let isOver = false
  const looks = async () => {
    while (!isOver) expect(await misfits(world, since)).to.deep.equal([])
  }
  const acting = act().finally(() => {
    isOver = true
  })
  await Promise.all([acting, looks()])
}
