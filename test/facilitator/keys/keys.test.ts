import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { type Hex, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { FIRST_FREE_ACCOUNT, sandboxAccount } from '../../../ignition/sandboxAccounts.ts'
import { freeAccount, mintUsdc, newTerms, signForHold } from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  blocksLater,
  loseBroadcasts,
  outcomeOf,
  request,
  resumeMining,
  startBench,
  stopMining,
  transactionsOf,
  untilLogged,
} from '../../kit/facilitator/facilitator.ts'
import { until } from '../../kit/until.ts'

const PRICE = 100_000n
const MOST_IN_FLIGHT = 100

describe('the keys of a facilitator', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting | undefined
  const buyer = freeAccount(0)
  const seller = freeAccount(1)
  const keyOf = (index: number) => sandboxAccount(FIRST_FREE_ACCOUNT + index).privateKey
  const addressOf = (index: number) => freeAccount(index).address.toLowerCase() as Hex

  const act = async (overrides: Record<string, string>) => {
    facilitator = await actHere(bench, overrides)
    return facilitator
  }
  const stop = async () => {
    await facilitator?.stop()
    facilitator = undefined
  }
  const requestFund = async () => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    return request(bench, { kind: 'fund', terms, authorization: await signForHold(bench.chain, buyer, terms) })
  }
  const requestMany = (count: number) => Promise.all(Array.from({ length: count }, requestFund))
  const sentFor = async (intents: readonly string[]) =>
    (await Promise.all(intents.map((intent) => transactionsOf(bench, intent)))).flat()
  const untilSent = async (intent: string) => {
    await until('a transaction is on file', async () => (await transactionsOf(bench, intent)).length > 0)
    const [sent] = await transactionsOf(bench, intent)
    if (!sent) throw new Error('nothing was sent')
    return sent
  }
  /** A transaction of the key at `index` that is on file, and that no node has. */
  const leaveUnmined = async (index: number) => {
    await act({ SUBMITTER_KEYS: keyOf(index) })
    loseBroadcasts(bench, 100)
    const intent = await requestFund()
    const sent = await untilSent(intent)
    await stop()
    bench.proxy.intercept(undefined)
    return { intent, sent }
  }

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
  })

  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await stop()
    await resumeMining(bench)
  })

  after(() => bench.stop())

  test('share the work, each in its own sequence of nonces', async () => {
    await act({ SUBMITTER_KEYS: `${keyOf(2)},${keyOf(3)}` })
    const intents = await requestMany(30)
    for (const intent of intents) expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    const sent = await sentFor(intents)
    const noncesOf = (index: number) =>
      sent
        .filter(({ signer }) => signer === addressOf(index))
        .map(({ nonce }) => nonce)
        .sort((one, two) => one - two)
    for (const index of [2, 3]) {
      const nonces = noncesOf(index)
      expect(nonces.length).to.be.above(5)
      expect(nonces).to.deep.equal(nonces.map((_, place) => place))
    }
    expect(sent).to.have.length(30)
  })

  test('have a hundred transactions on their way, and what is more waits its turn', async () => {
    await act({ SUBMITTER_KEYS: keyOf(4) })
    // Has the usual gas known, so that all of them go at once.
    expect((await outcomeOf(bench, await requestFund())).status).to.equal('confirmed')
    await stopMining(bench)
    const intents = await requestMany(MOST_IN_FLIGHT + 20)
    await until('as many as may be are on their way', async () => (await sentFor(intents)).length >= MOST_IN_FLIGHT)
    // Another look, at a new block that takes in none of them.
    await bench.chain.client.request({ method: 'evm_setBlockGasLimit' as never, params: [toHex(100_000)] as never })
    await bench.chain.client.mine({ blocks: 1 })
    await bench.chain.client.request({ method: 'evm_setBlockGasLimit' as never, params: [toHex(60_000_000)] as never })
    expect(await sentFor(intents)).to.have.length(MOST_IN_FLIGHT)
    await resumeMining(bench)
    for (const intent of intents) expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    expect(await sentFor(intents)).to.have.length(MOST_IN_FLIGHT + 20)
  })

  test('that were retired finish what they began, and get nothing new', async () => {
    const { intent, sent } = await leaveUnmined(5)
    const { output } = await act({ SUBMITTER_KEYS: keyOf(6), RETIRED_KEYS: keyOf(5) })
    const next = await requestFund()
    expect(await outcomeOf(bench, intent)).to.include({ status: 'confirmed', tx_hash: sent.hash })
    expect((await outcomeOf(bench, next)).status).to.equal('confirmed')
    expect((await untilSent(next)).signer).to.equal(addressOf(6))
    await untilLogged(output, 'nothing of this retired key is on its way any more')
  })

  test('that are gone: their transactions are told of, and broadcast as they are', async () => {
    const { intent, sent } = await leaveUnmined(7)
    const { output } = await act({ SUBMITTER_KEYS: keyOf(6) })
    expect(output()).to.contain(freeAccount(7).address).and.contain('a key that is not configured')
    expect(await outcomeOf(bench, intent)).to.include({ status: 'confirmed', tx_hash: sent.hash })
    expect(await transactionsOf(bench, intent)).to.have.length(1)
  })

  test('that are gone, with a transaction that no block takes: another key does it, once [risk submitter-key]', async () => {
    const { intent, sent } = await leaveUnmined(8)
    bench.proxy.intercept(async ({ method, params }, forward) =>
      method === 'eth_sendRawTransaction' && keccak256(params[0] as Hex) === sent.hash
        ? JSON.stringify({ jsonrpc: '2.0', id: 1, result: sent.hash })
        : forward(),
    )
    await act({ SUBMITTER_KEYS: keyOf(6) })
    const outcome = await outcomeOf(bench, intent)
    const [, second] = await transactionsOf(bench, intent)
    expect(outcome).to.include({ status: 'confirmed', tx_hash: second?.hash })
    expect(second?.signer).to.equal(addressOf(6))
    // The first is still good for a block: it changes nothing any more.
    await bench.chain.client.sendRawTransaction({ serializedTransaction: sent.raw })
    const late = await bench.chain.client.waitForTransactionReceipt({ hash: sent.hash })
    expect(late.status).to.equal('reverted')
  })

  test('without gas are left aside while another has some', async () => {
    const empty = generatePrivateKey()
    await bench.client.query('delete from facilitator.heartbeat')
    const { output } = await act({ SUBMITTER_KEYS: `${empty},${keyOf(6)}` })
    await untilLogged(output, 'too little native coin')
    expect(output()).to.contain(privateKeyToAddress(empty))
    const intents = await requestMany(5)
    for (const intent of intents) expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    const signers = new Set((await sentFor(intents)).map(({ signer }) => signer))
    expect([...signers]).to.deep.equal([addressOf(6)])
    const beats = await bench.client.query('select from facilitator.heartbeat')
    expect(beats.rowCount).to.equal(1)
    await blocksLater(bench, 1)
  })
})
