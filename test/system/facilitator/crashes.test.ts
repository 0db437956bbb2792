import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Address, type Hex, keccak256, parseEventLogs, parseTransaction } from 'viem'
import { type ProcessSpec, type StartedProcess, signal } from '../../../cli/machine/process.ts'
import { escrowAbi } from '../../../protocol/generated/escrow.ts'
import { type Terms, termsHash } from '../../../protocol/payments/terms.ts'
import type { Interceptor } from '../../e2e/rpcProxy.ts'
import { freeAccount, mined, newTerms, roleAccount, signForHold, signTransfer } from '../../kit/chain/payments.ts'
import {
  answerTo,
  type Bench,
  BLOCK_INTERVAL_SECONDS,
  endFacilitator,
  facilitatorSpec,
  launchFacilitator,
  letTimePass,
  noOpsOf,
  outcomeOf,
  request,
  startBench,
  startFacilitator,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'
import { type Outflows, startOutflows, usesOf, type Wish } from '../../kit/facilitator/outflows.ts'
import { type Moment, type StatementProxy, startStatementProxy } from '../../kit/facilitator/statementProxy.ts'
import { until } from '../../kit/until.ts'

const PRICE = 20_000_000n
describe('a facilitator that is killed', { timeout: 900_000 }, () => {
  let bench: Bench
  let spec: ProcessSpec
  let statements: StatementProxy
  let facilitator: StartedProcess
  let outflows: Outflows
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  const logsOf = async (address: Address) => {
    const filter = { address, fromBlock: bench.chain.startBlock, toBlock: 'latest' } as const
    return bench.chain.client.getLogs(filter)
  }
  const endingsOf = async (order: Hex) => {
    const logs = parseEventLogs({ abi: escrowAbi, eventName: 'Released', logs: await logsOf(bench.chain.escrow) })
    return logs.filter(({ args }) => args.order === order).length
  }

  const wishes = {
    fund: async () => {
      const terms = await newTerms(bench.chain, seller.address, PRICE)
      const authorization = await signForHold(bench.chain, buyer, terms)
      return {
        payload: { kind: 'fund', terms, authorization },
        effects: () => usesOf(bench, buyer.address, authorization.nonce),
      }
    },
    release: async () => {
      const terms = await newTerms(bench.chain, seller.address, PRICE)
      await fundByHand(terms)
      const legs = { recipients: [seller.address, terms.feeRecipient], amounts: [19_000_000n, 1_000_000n] }
      return {
        payload: { kind: 'release', terms, payer: buyer.address, ...legs },
        effects: () => endingsOf(terms.order),
      }
    },
    payout: () => outflows.payout(),
    sweep: () => outflows.sweep(),
  } satisfies Record<string, () => Promise<Wish>>

  /** Funds a hold past the facilitator, as anyone can who has the signature. */
  async function fundByHand(terms: Terms) {
    const { from, validAfter, validBefore, signature } = await signForHold(bench.chain, buyer, terms)
    const call = { address: bench.chain.escrow, abi: escrowAbi, functionName: 'fund' } as const
    const args = [terms, from, validAfter, validBefore, signature] as const
    const account = roleAccount(bench.chain, 'deployer')
    await mined(bench.chain, bench.chain.client.writeContract({ ...call, account, args }))
  }

  /** Kills the facilitator at the first request that fits, before or after the node has had it. */
  const killAt = (method: string, when: 'before' | 'after', isIt = (_answer: string) => true): Promise<void> => {
    const { died, die } = deathOf(facilitator)
    const intercept: Interceptor = async (rpc, forward) => {
      if (rpc.method !== method) return forward()
      const answer = when === 'after' ? await forward() : ''
      return isIt(answer) ? die() : answer
    }
    bench.proxy.intercept(intercept)
    return died
  }

  /**
   * Kills the facilitator at its next no-op, before or after the node has had it. Calls are lost on their way
   * until then.
   */
  const killAtNoOp = (when: 'before' | 'after'): Promise<void> => {
    const { died, die } = deathOf(facilitator)
    bench.proxy.intercept(async ({ method, params: [raw] }, forward) => {
      if (method !== 'eth_sendRawTransaction') return forward()
      if (parseTransaction(raw as Hex).data) return answerTo(keccak256(raw as Hex))
      if (when === 'after') await forward()
      return die()
    })
    return died
  }

  /** How one process dies: its successor outlives the calls that are still on their way when it does. */
  const deathOf = (victim: StartedProcess) => {
    const { promise: died, resolve } = Promise.withResolvers<void>()
    const die = async () => {
      bench.proxy.intercept(undefined)
      signal(victim, 'SIGKILL')
      await victim.ended
      resolve()
      return undefined
    }
    return { died, die }
  }

  before(async () => {
    bench = await startBench()
    outflows = await startOutflows(bench)
    statements = await startStatementProxy(bench.database.roleUrls.facilitator)
    spec = facilitatorSpec(bench, { ...outflows.environment, DATABASE_URL: statements.url })
    facilitator = await startFacilitator(spec)
  })

  afterEach(() => bench.proxy.intercept(undefined))

  after(async () => {
    await endFacilitator(facilitator, 'SIGKILL')
    statements.stop()
    await bench.stop()
  })

  /**
   * Kills the facilitator at its next statement with these words, before or after the database has done it.
   */
  const killAtStatement = (words: string, moment: Moment): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    statements.stopAt(words, moment, () => {
      signal(facilitator, 'SIGKILL')
      facilitator.ended.then(() => resolve())
    })
    return promise
  }

  const moments = {
    'before it wrote a transaction down': () => killAt('eth_estimateGas', 'before'),
    'after it wrote the transaction down, before the node has it': () => killAt('eth_sendRawTransaction', 'before'),
    'after the node has the transaction, before it hears so': () => killAt('eth_sendRawTransaction', 'after'),
    'after it saw the transaction mined': () =>
      killAt('eth_getTransactionReceipt', 'after', (answer) => answer.includes('0x1')),
    'while it wrote the transaction down': () => killAtStatement('insert into facilitator.transactions', 'before'),
    'after it wrote the transaction down, before it hears so': () =>
      killAtStatement('insert into facilitator.transactions', 'after'),
    'while it wrote the outcome down': () => killAtStatement('insert into facilitator.outcomes', 'before'),
    'after it wrote the outcome down, before it hears so': () =>
      killAtStatement('insert into facilitator.outcomes', 'after'),
  }

  /** Has a wish come true across a death. */
  const survive = async (makeWish: () => Promise<Wish>, kill: () => Promise<void>) => {
    const wish = await makeWish()
    const killed = kill()
    const intent = await request(bench, wish.payload)
    await killed
    facilitator = launchFacilitator(spec)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    expect(await wish.effects()).to.equal(1)
    expect(await transactionsOf(bench, intent)).to.have.length(1)
  }

  for (const [kind, makeWish] of Object.entries(wishes)) {
    for (const [moment, kill] of Object.entries(moments)) {
      test(`${kind}: ${moment}, it is done once all the same`, () => survive(makeWish, kill))
    }
  }

  for (const kind of ['payout', 'sweep'] as const) {
    for (const when of ['before', 'after'] as const) {
      test(`${kind}: ${when} its authorization is on file, it is done once all the same`, () =>
        survive(wishes[kind], () => killAtStatement('insert into facilitator.authorizations', when)))
    }
  }

  test('thirty at once, some broadcast and some not: each is done once all the same', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, wishes.fund))
    let broadcasts = 0
    const killed = killAt('eth_sendRawTransaction', 'after', () => ++broadcasts > 10)
    const intents = await Promise.all(made.map(({ payload }) => request(bench, payload)))
    await killed
    facilitator = launchFacilitator(spec)
    for (const [index, intent] of intents.entries()) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      expect(await made[index]?.effects()).to.equal(1)
      expect(await transactionsOf(bench, intent)).to.have.length(1)
    }
  })

  for (const when of ['before', 'after'] as const) {
    test(`while a no-op takes the place of what is too late, ${when} the node has it: nothing stands still`, async () => {
      const { client, escrow } = bench.chain
      await client.setIntervalMining({ interval: 0 })
      const now = (await client.getBlock()).timestamp
      const killed = killAtNoOp(when)
      const terms = await newTerms(bench.chain, seller.address, PRICE)
      const message = { to: escrow, value: PRICE, nonce: termsHash(bench.chain, terms), validBefore: now + 60n }
      const authorization = await signTransfer(bench.chain, buyer, message)
      const late = await request(bench, { kind: 'fund', terms, authorization })
      await until('its transaction is on file', async () => (await transactionsOf(bench, late)).length === 1)
      await letTimePass(bench, 61)
      await client.setIntervalMining({ interval: BLOCK_INTERVAL_SECONDS })
      await killed
      facilitator = launchFacilitator(spec)
      expect(await outcomeOf(bench, late)).to.include({ status: 'failed', reason: 'authorization_expired' })
      const { payload } = await wishes.fund()
      expect((await outcomeOf(bench, await request(bench, payload))).status).to.equal('confirmed')
      const [stuck] = await transactionsOf(bench, late)
      expect((await noOpsOf(bench)).filter(({ nonce }) => nonce === stuck?.nonce)).to.have.length(1)
    })
  }
})
