import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import type { Address } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import type { IntentOf } from '../../../protocol/payments/intents.ts'
import {
  freeAccount,
  mined,
  mintUsdc,
  newTerms,
  roleAccount,
  signForCustody,
  signForHold,
} from '../../kit/chain/payments.ts'
import {
  type Acting,
  actHere,
  type Bench,
  type OutcomeRow,
  outcomeOf,
  request,
  startBench,
  tamper,
  transactionsOf,
} from '../../kit/facilitator/facilitator.ts'

const PRICE = 20_000_000n
/**
 * What a unit of gas costs once empty blocks have brought the base fee down to some wei: the tip of a test
 * chain.
 */
const GAS_WEI = 1_000_000_100n
/**
 * Enough for two holds, though the very first ones cost more (some 199,000 gas each), and not for three
 * others (156,000 each).
 */
const DAY_OF_TWO = String(433_000n * GAS_WEI)
const BLOCKS_WITHOUT_BASE_FEE = 200

const REFUSED: OutcomeRow = { status: 'refused', reason: 'gas_budget', tx_hash: null }

const GIVEN_UP: OutcomeRow = { status: 'failed', reason: 'reverted_repeatedly', tx_hash: null }
const TWO_FACED: Address = '0x00000000000000000000000000000000000bad77'
/** Its yes to a signature (ERC-1271) times whether gas costs nothing, as where a node is only asked. */
const TWO_FACED_CODE = `0x3a157f1626ba7e${'00'.repeat(28)}025f5260205ff3` as const

describe('what others can have us spend on gas', { timeout: 300_000 }, () => {
  let bench: Bench
  let facilitator: Acting | undefined
  const buyer = freeAccount(0)
  const seller = freeAccount(1)

  const act = async (overrides: Record<string, string> = {}) => {
    facilitator = await actHere(bench, overrides)
  }
  const newFund = async (): Promise<IntentOf<'fund'>> => {
    const terms = await newTerms(bench.chain, seller.address, PRICE)
    return { kind: 'fund', terms, authorization: await signForHold(bench.chain, buyer, terms) }
  }
  const payFor = async (ownerId?: string) => request(bench, await newFund(), ownerId === undefined ? {} : { ownerId })
  const setBlocked = (functionName: 'blacklist' | 'unBlacklist') => {
    const call = { account: roleAccount(bench.chain, 'deployer'), address: bench.chain.token, abi: tokenAbi } as const
    return mined(bench.chain, bench.chain.client.writeContract({ ...call, functionName, args: [buyer.address] }))
  }
  /** The answers to so many calls come at once: whoever decides by them does so side by side. */
  const answerTogether = (method: string, count: number) => {
    const all = Promise.withResolvers<void>()
    let asked = 0
    bench.proxy.intercept(async (rpc, forward) => {
      const answer = await forward()
      if (rpc.method !== method) return answer
      if (++asked >= count) all.resolve()
      await all.promise
      return answer
    })
  }
  /** The payer's account is blocked between our look and the block, each time. */
  const sabotage = () =>
    bench.proxy.intercept(async ({ method }, forward) => {
      if (method !== 'eth_sendRawTransaction') return forward()
      await setBlocked('blacklist')
      const answer = await forward()
      await bench.chain.client.mine({ blocks: 1 })
      await setBlocked('unBlacklist')
      return answer
    })

  before(async () => {
    bench = await startBench()
    await mintUsdc(bench.chain, buyer.address, 10_000_000_000n)
    await bench.chain.client.mine({ blocks: BLOCKS_WITHOUT_BASE_FEE })
  })

  afterEach(async () => {
    bench.proxy.intercept(undefined)
    await facilitator?.stop()
    facilitator = undefined
  })

  after(() => bench.stop())

  test("an owner's day holds so many payments, asked for at once or not; another owner's is their own", async () => {
    await act({ DAILY_FUNDING_WEI: DAY_OF_TWO, NEW_OWNER_FUNDING_WEI: DAY_OF_TWO })
    const [owner, other] = [randomUUID(), randomUUID()]
    answerTogether('eth_estimateGas', 5)
    const payments = await Promise.all(Array.from({ length: 5 }, () => payFor(owner)))
    const outcomes = await Promise.all(payments.map((intent) => outcomeOf(bench, intent)))
    expect(outcomes.filter(({ status }) => status === 'confirmed')).to.have.length(2)
    expect(outcomes.filter(({ status }) => status !== 'confirmed')).to.deep.equal([REFUSED, REFUSED, REFUSED])
    for (const [index, intent] of payments.entries()) {
      if (outcomes[index]?.status === 'refused') expect(await transactionsOf(bench, intent)).to.deep.equal([])
    }
    expect((await outcomeOf(bench, await payFor(other))).status).to.equal('confirmed')
  })

  test('a new process goes on counting where the last one was, and a day later there is room again', async () => {
    const owner = randomUUID()
    await act({ DAILY_FUNDING_WEI: DAY_OF_TWO, NEW_OWNER_FUNDING_WEI: DAY_OF_TWO })
    for (const intent of [await payFor(owner), await payFor(owner)]) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    }
    await facilitator?.stop()
    await act({ DAILY_FUNDING_WEI: DAY_OF_TWO, NEW_OWNER_FUNDING_WEI: DAY_OF_TWO })
    expect(await outcomeOf(bench, await payFor(owner))).to.deep.equal(REFUSED)
    const age = (hours: number) =>
      tamper(
        bench,
        `update facilitator.transactions set created_at = created_at - make_interval(hours => $2) where owner_id = $1`,
        [owner, hours],
      )
    await age(23)
    expect(await outcomeOf(bench, await payFor(owner))).to.deep.equal(REFUSED)
    await age(1)
    expect((await outcomeOf(bench, await payFor(owner))).status).to.equal('confirmed')
  })

  test('payments that name no owner share the day of one [risk market-api]', async () => {
    await act({ DAILY_FUNDING_WEI: DAY_OF_TWO, NEW_OWNER_FUNDING_WEI: DAY_OF_TWO })
    const outcomes = []
    for (let count = 0; count < 3; count++) outcomes.push(await outcomeOf(bench, await payFor()))
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['confirmed', 'confirmed', 'refused'])
    expect(outcomes[2]).to.deep.equal(REFUSED)
    expect((await outcomeOf(bench, await payFor(randomUUID()))).status).to.equal('confirmed')
  })

  test('a new owner has less of a day, until a payment of theirs was confirmed the day before', async () => {
    await act({ NEW_OWNER_FUNDING_WEI: DAY_OF_TWO })
    const owner = randomUUID()
    for (const intent of [await payFor(owner), await payFor(owner)]) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    }
    expect(await outcomeOf(bench, await payFor(owner))).to.deep.equal(REFUSED)
    await tamper(
      bench,
      `update facilitator.transactions set created_at = created_at - interval '1 day' where owner_id = $1`,
      [owner],
    )
    for (const intent of [await payFor(owner), await payFor(owner), await payFor(owner)]) {
      expect((await outcomeOf(bench, intent)).status).to.equal('confirmed')
    }
  })

  test('what is owed is paid whatever the owner has used', async () => {
    await act()
    const owner = randomUUID()
    const fund = await newFund()
    expect((await outcomeOf(bench, await request(bench, fund, { ownerId: owner }))).status).to.equal('confirmed')
    await facilitator?.stop()
    await act({ DAILY_FUNDING_WEI: '1', NEW_OWNER_FUNDING_WEI: '1' })
    expect(await outcomeOf(bench, await payFor(owner))).to.deep.equal(REFUSED)
    const { terms } = fund
    const legs = { recipients: [seller.address, terms.feeRecipient], amounts: [19_000_000n, 1_000_000n] }
    const release = { kind: 'release', terms, payer: buyer.address, ...legs } as const
    const outcome = await outcomeOf(bench, await request(bench, release, { ownerId: owner }))
    expect(outcome.status).to.equal('confirmed')
  })

  test('an order has two failures on chain, however often it is paid [risk no-money]', async () => {
    await act()
    sabotage()
    const orderId = randomUUID()
    const fund = await newFund()
    const intent = await request(bench, fund, { orderId })
    expect(await outcomeOf(bench, intent)).to.deep.equal(GIVEN_UP)
    expect(await transactionsOf(bench, intent)).to.have.length(2)
    const again = await request(bench, fund, { orderId })
    expect(await outcomeOf(bench, again)).to.deep.equal(GIVEN_UP)
    expect(await transactionsOf(bench, again)).to.deep.equal([])
    bench.proxy.intercept(undefined)
    const other = await request(bench, await newFund(), { orderId: randomUUID() })
    expect((await outcomeOf(bench, other)).status).to.equal('confirmed')
  })

  test('nor has a wallet that says yes to whoever tries and no to whoever pays for it, as it can tell them apart [risk simulation-only]', async () => {
    await act()
    const { client } = bench.chain
    await client.setCode({ address: TWO_FACED, bytecode: TWO_FACED_CODE })
    await mintUsdc(bench.chain, TWO_FACED, PRICE)
    // What a deposit usually costs is known then: a node's estimate could meet the other face.
    const fair = await signForCustody(bench.chain, buyer, PRICE)
    const paid = await request(bench, { kind: 'deposit', authorization: fair })
    expect((await outcomeOf(bench, paid)).status).to.equal('confirmed')
    const authorization = { ...(await signForCustody(bench.chain, buyer, PRICE)), from: TWO_FACED }
    const orderId = randomUUID()
    for (const count of [2, 0]) {
      const intent = await request(bench, { kind: 'deposit', authorization }, { orderId })
      expect(await outcomeOf(bench, intent)).to.deep.equal(GIVEN_UP)
      expect(await transactionsOf(bench, intent)).to.have.length(count)
    }
  })
})
