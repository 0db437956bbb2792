import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { parseEther, toFunctionSelector } from 'viem'
import { readFacilitatorEnvironment } from '../../facilitator/env.ts'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { cancelAuthorization } from '../kit/chain/cancel.ts'
import { freeAccount, mined, mintUsdc, newTerms, signForHold } from '../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  answerTo,
  type Bench,
  blocksLater,
  currentOutcome,
  environmentOf,
  outcomeOf,
  request,
  requestStored,
  startBench,
  tamper,
  transactionsOf,
  untilLogged,
} from '../kit/facilitator/facilitator.ts'
import { until } from '../kit/until.ts'

const PRICE = 20_000_000n

describe('a facilitator that acts', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting | undefined
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  const act = async (overrides: Record<string, string> = {}) => {
    facilitator = await actHere(bench, overrides)
    return facilitator
  }
  const requestFund = async () => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    return request(bench, { kind: 'fund', terms, authorization: await signForHold(bench.chain, buyer, terms) })
  }
  const lastBeat = async () => {
    const { rows } = await bench.client.query<{ beat_at: Date }>('select beat_at from facilitator.heartbeat')
    return rows[0]?.beat_at.getTime() ?? 0
  }
  const failureOf = (doing: Promise<unknown>) =>
    doing.then(
      () => 'none',
      (error: Error) => error.message,
    )

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
  })

  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await facilitator?.stop()
    facilitator = undefined
  })

  after(() => bench.stop())

  test('a cut database session is taken up again, and nothing is done twice', async () => {
    const { output } = await act()
    const intents = await Promise.all([requestFund(), requestFund(), requestFund()])
    await until(
      'the first transaction is on file',
      async () => (await transactionsOf(bench, intents[0] ?? '')).length > 0,
    )
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'facilitator %' and datname = current_database()`
    await bench.client.query(cut)
    for (const intent of intents) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
      expect(await transactionsOf(bench, intent)).to.have.length(1)
    }
    expect(output()).to.contain('session was lost')
  })

  test('with its own tables as they were before a trade, it finds the effect on chain', async () => {
    const before = await act()
    const intent = await requestFund()
    await outcomeOf(bench, intent)
    await before.stop()
    for (const table of ['outcomes', 'transactions']) await tamper(bench, `delete from facilitator.${table}`)
    await act()
    expect(await outcomeOf(bench, intent)).to.deep.equal({ status: 'confirmed', reason: null, tx_hash: null })
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
  })

  test('its heartbeat stops while the node does not answer, and comes back', async () => {
    const { output } = await act()
    await until('its heart beats', async () => (await lastBeat()) > 0)
    bench.proxy.intercept(async () => undefined)
    await untilLogged(output, 'no heartbeat')
    const before = await lastBeat()
    bench.proxy.intercept(undefined)
    await until('its heart beats again', async () => (await lastBeat()) > before)
  })

  test('of a node that serves another chain meanwhile it believes nothing, and goes on when it is back [risk other-chain]', async () => {
    const { output } = await act()
    await until('its heart beats', async () => (await lastBeat()) > 0)
    bench.proxy.intercept(async ({ method }, forward) => (method === 'eth_chainId' ? answerTo('0x1') : forward()))
    await untilLogged(output, 'RPC_URL serves chain 1 now')
    // By then nobody goes by a block from before.
    await blocksLater(bench, 3)
    const intent = await requestFund()
    await blocksLater(bench, 5)
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    const before = await lastBeat()
    bench.proxy.intercept(undefined)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    await until('its heart beats again', async () => (await lastBeat()) > before)
  })

  test('asks of the state by the hash of the block: while no node has that block nothing ends, and nothing is signed [risk other-chain]', async () => {
    const { output } = await act()
    const unknownBlock = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_000, message: 'header not found' },
    })
    // A block's number means another block on each chain: whatever is asked by it is not answered here.
    bench.proxy.intercept(async ({ method, params: [, block] }, forward) =>
      method === 'eth_call' && !isByHash(block) ? unknownBlock : forward(),
    )
    expect((await outcomeOf(bench, await requestFund())).status).to.equal('confirmed')
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    const authorization = await signForHold(bench.chain, buyer, terms)
    await cancelAuthorization(bench.chain, buyer, authorization)
    const cancelled = await outcomeOf(bench, await request(bench, { kind: 'fund', terms, authorization }))
    expect(cancelled).to.include({ status: 'failed', reason: 'authorization_used' })
    bench.proxy.intercept(async ({ method }, forward) => (method === 'eth_call' ? unknownBlock : forward()))
    const intent = await requestFund()
    await untilLogged(output, 'a step failed')
    await blocksLater(bench, 5)
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    bench.proxy.intercept(undefined)
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  test('no heartbeat while the escrow has less than it owes, and somebody is told [risk deceitful-token]', async () => {
    const { chain } = bench
    const { output } = await act()
    expect((await outcomeOf(bench, await requestFund())).status).to.equal('confirmed')
    await until('its heart beats', async () => (await lastBeat()) > 0)
    await chain.client.impersonateAccount({ address: chain.escrow })
    await chain.client.setBalance({ address: chain.escrow, value: parseEther('1') })
    const taking = { account: chain.escrow, address: chain.token, abi: tokenAbi, functionName: 'transfer' } as const
    await mined(chain, chain.client.writeContract({ ...taking, args: [seller.address, 1n] }))
    await untilLogged(output, 'the escrow owes 1 micro-units more than it has')
    await bench.client.query('delete from facilitator.heartbeat')
    const complaints = () => output().split('the escrow owes 1 micro-units more than it has').length
    const before = complaints()
    await until('it complains again', () => complaints() > before)
    expect(await lastBeat()).to.equal(0)
    await mintUsdc(chain, chain.escrow, 1n)
    await until('its heart beats', async () => (await lastBeat()) > 0)
  })

  test('no heartbeat while the token verifies by another domain than the one payers are asked to sign for [risk domain-change]', async () => {
    const { output } = await act()
    const isSeparator = (call: unknown) => (call as { data?: string }).data === toFunctionSelector('DOMAIN_SEPARATOR()')
    bench.proxy.intercept(async ({ method, params: [call] }, forward) =>
      method === 'eth_call' && isSeparator(call) ? answerTo(`0x${'ab'.repeat(32)}`) : forward(),
    )
    await untilLogged(output, 'no heartbeat: the token verifies by another domain')
    const before = await lastBeat()
    bench.proxy.intercept(undefined)
    await until('its heart beats again', async () => (await lastBeat()) > before)
  })

  test('no heartbeat with too little gas', async () => {
    await bench.client.query('delete from facilitator.heartbeat')
    const { output } = await act({ MIN_GAS_BALANCE: String(10n ** 30n) })
    await untilLogged(output, 'no heartbeat: a role has no signer')
    expect(await lastBeat()).to.equal(0)
    const told = output()
      .split('\n')
      .filter((line) => /too little native coin|no heartbeat: a role/.test(line))
    expect(told.map((line) => JSON.parse(line).alarm)).to.deep.equal([true, true])
  })

  test('a nonce that no block takes needs a person, however often its transaction is replaced', async () => {
    const { chain, proxy } = bench
    const { output } = await act()
    await until('its heart beats', async () => (await lastBeat()) > 0)
    let swallowed = 0
    proxy.intercept(async ({ method }, forward) => {
      if (method !== 'eth_sendRawTransaction') return forward()
      swallowed += 1
      return answerTo(`0x${'00'.repeat(32)}`)
    })
    await requestFund()
    const isTold = async () => {
      await chain.client.mine({ blocks: 1 })
      return output().includes('a nonce is stuck')
    }
    await until('somebody is told of the nonce', isTold, Boolean, { pollMs: 50 })
    const [line = ''] = output()
      .split('\n')
      .filter((one) => one.includes('a nonce is stuck'))
    expect(JSON.parse(line)).to.deep.include({ alarm: true, signers: [chain.accounts.submitter.address] })
    expect(swallowed).to.be.above(1)
    proxy.intercept(undefined)
  })

  test('an intent that cannot be read is refused', async () => {
    await act()
    const intent = await requestStored(bench, 'fund', { kind: 'fund', terms: 'all yours' })
    expect(await outcomeOf(bench, intent)).to.deep.equal({
      status: 'refused',
      reason: 'payload_invalid',
      tx_hash: null,
    })
  })

  test('more gas than allowed is refused', async () => {
    await act({ MAX_GAS: '50000' })
    const outcome = await outcomeOf(bench, await requestFund())
    expect(outcome).to.deep.equal({ status: 'refused', reason: 'gas_limit', tx_hash: null })
  })

  test('dearer gas than allowed is waited out', async () => {
    const frugal = await act({ MAX_FEE_PER_GAS: '10' })
    const intent = await requestFund()
    await blocksLater(bench, 5)
    await frugal.stop()
    expect(await currentOutcome(bench, intent)).to.equal(undefined)
    expect(await transactionsOf(bench, intent)).to.deep.equal([])
    await act()
    expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
  })

  test('does not act on a wrong chain, escrow, token, resolver or database role, and says which', async () => {
    const { accounts, escrow } = bench.chain
    const complaints: [Record<string, string>, string][] = [
      [{ CHAIN_ID: '1' }, 'RPC_URL serves chain 31337'],
      [{ ESCROW_ADDRESS: seller.address }, 'no contract at ESCROW_ADDRESS'],
      [{ TOKEN_ADDRESS: escrow }, 'the escrow holds token'],
      [{ RESOLVER_KEY: accounts.minter.privateKey }, "the escrow's resolver is"],
      [{ DATABASE_URL: bench.database.url }, 'use market_facilitator'],
    ]
    for (const [overrides, complaint] of complaints) {
      expect(await failureOf(actHere(bench, overrides))).to.contain(complaint)
    }
  })

  test('names every variable that is missing or wrong, and shows no value of any', () => {
    const { accounts } = bench.chain
    const notAKey = `0x${'ff'.repeat(32)}`
    const complaints: [Record<string, string>, string][] = [
      [{ DATABASE_URL: '' }, 'DATABASE_URL: is not set'],
      [{ MAX_GAS: '-1' }, 'MAX_GAS: must be a whole number'],
      [{ SUBMITTER_KEYS: notAKey }, 'SUBMITTER_KEYS: is not a valid private key'],
      [{ SUBMITTER_KEYS: accounts.resolver.privateKey }, 'SUBMITTER_KEYS: must differ'],
      [{ HOT_WALLET_KEY: accounts.minter.privateKey }, 'HOT_WALLET_KEY: is not the key of'],
    ]
    for (const [overrides, complaint] of complaints) {
      const reading = () => readFacilitatorEnvironment(environmentOf(bench, overrides))
      expect(reading).to.throw(complaint)
      for (const value of Object.values(overrides).filter(Boolean)) expect(reading).to.not.throw(value)
    }
  })
})

/** Whether a question of state names its block by hash (EIP-1898). */
function isByHash(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'blockHash' in block
}
