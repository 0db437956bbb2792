import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { deploySequence } from '../chain/sequence.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { attacksOnClaims } from './attacks/claims.ts'
import { attacksWithDust } from './attacks/dust.ts'
import { attacksOnHolds } from './attacks/holds.ts'
import { attacksOnPayments } from './attacks/payments.ts'
import { standstills } from './attacks/standstill.ts'
import { blocksThatAreUndone } from './attacks/undone.ts'
import { attacksOnWhatWaits } from './attacks/waiting.ts'
import { alarmsOf, auditFindings, untilBooksMatch, untilNothingIsOpen } from './books.ts'
import { createTrader, MODES } from './trading.ts'

describe('attacks', { timeout: 300_000 }, () => {
  let stack: Stack
  let sequence: Awaited<ReturnType<typeof deploySequence>>
  const arena = () => ({ stack, sequence })

  before(async () => {
    stack = await startStack()
    sequence = await deploySequence(stack.chain)
  })

  after(() => stack?.stop())

  for (const mode of MODES) {
    describe(`in ${mode} mode`, { concurrency: true }, () => {
      attacksOnPayments(arena, mode)
      attacksOnClaims(arena, mode)
      if (mode === 'contract') attacksOnHolds(arena)
      else attacksWithDust(arena)
    })
  }

  it('raise no alarm', () => {
    expect(alarmsOf(stack)).to.deep.equal([])
  })

  attacksOnWhatWaits(arena)
  blocksThatAreUndone(arena)
  standstills(arena)

  it('leave books that match the chain, and nothing for an auditor to find', async () => {
    await untilNothingIsOpen(stack)
    await untilBooksMatch(stack)
    expect(await auditFindings(stack, await createTrader(stack))).to.deep.equal([])
  })
})
