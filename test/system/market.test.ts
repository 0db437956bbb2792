import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { freePort } from '../../cli/machine/ports.ts'
import { SERVICES } from '../../cli/stack/services.ts'
import { alarmsOf, auditFindings, untilBooksMatch, untilNothingIsOpen } from '../e2e/books.ts'
import { createTrader, MODES } from '../e2e/trading.ts'
import { deploySequence } from '../kit/chain/sequence.ts'
import { type Collector, startCollector } from '../kit/stack/collector.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { passStrayDelay } from './attacks/arena.ts'
import { attacksOnClaims } from './attacks/claims.ts'
import { attacksWithDust } from './attacks/dust.ts'
import { attacksOnHolds } from './attacks/holds.ts'
import { attacksOnPayments } from './attacks/payments.ts'
import { standstills } from './attacks/standstill.ts'
import { blocksThatAreUndone } from './attacks/undone.ts'
import { attacksOnWhatWaits } from './attacks/waiting.ts'
import { monitoring } from './market/monitoring.ts'
import { operatorsLooks } from './market/operatorsLooks.ts'
import { signedSettlements } from './market/signedSettlements.ts'
import { passingTime } from './market/timers.ts'
import { stockClients } from './market/x402.ts'

// All on one stack: to start one takes longer than most of its tests.
describe('a market under attack', { timeout: 600_000 }, () => {
  let stack: Stack
  let sequence: Awaited<ReturnType<typeof deploySequence>>
  const later: (() => Promise<void>)[] = []
  const arena = () => ({ stack, sequence, later })
  let collector: Collector
  const scraped: Record<string, number> = {}
  const x402 = { url: '', secret: randomBytes(32).toString('base64url') }

  before(async () => {
    const port = String(await freePort())
    x402.url = `http://127.0.0.1:${port}`
    collector = await startCollector()
    for (const name of SERVICES) scraped[`market-${name}`] = await freePort()
    stack = await startStack({
      env: { X402_PORT: port, X402_SECRET: x402.secret, ...collector.env },
      route: async (name, direct) => {
        if (name === 'indexer') scraped['market-index'] = direct.indexerPort
        return { ...direct, extra: { ...direct.extra, METRICS_PORT: String(scraped[`market-${name}`]) } }
      },
    })
    sequence = await deploySequence(stack.chain)
  })

  after(async () => {
    await stack?.stop()
    await collector?.stop()
  })

  stockClients(() => stack, x402)
  monitoring(
    () => stack,
    () => collector,
    () => scraped,
  )
  signedSettlements(() => stack)
  operatorsLooks(() => stack)

  for (const mode of MODES) {
    describe(`attacks in ${mode} mode`, { concurrency: true }, () => {
      attacksOnPayments(arena, mode)
      attacksOnClaims(arena, mode)
      if (mode === 'contract') attacksOnHolds(arena)
      else attacksWithDust(arena)
    })
  }

  it('has raised no alarm', () => {
    expect(alarmsOf(stack)).to.deep.equal([])
  })

  attacksOnWhatWaits(arena)
  blocksThatAreUndone(arena)
  standstills(arena)
  // After the others: these move the clock.
  it('has adopted or returned, four days later, each payment that went past the escrow', async () => {
    expect(later).to.have.length.above(10)
    await passStrayDelay(arena())
  })
  passingTime(arena)

  it('has books that match the chain, and nothing for an auditor to find', async () => {
    await untilNothingIsOpen(stack)
    await untilBooksMatch(stack)
    expect(await auditFindings(stack, await createTrader(stack))).to.deep.equal([])
  })
})
