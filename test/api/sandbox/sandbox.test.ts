import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { queryable } from '../../../api/platform/db/pool.ts'
import { schema } from '../../../api/schema.ts'
import { marketFaults } from '../../../protocol/environment/databaseFaults.ts'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { signUp } from '../../kit/api/identity/passkeys/browser.ts'
import { type Api, expectProblem, startApi } from '../../kit/api/platform/http/api.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'

describe('a sandbox', () => {
  let chain: TestChain
  let api: Api
  before(async () => {
    chain = await startChain()
    api = await startApi({ chain })
  })
  after(async () => {
    await api.stop()
    await chain.stop()
  })

  const post = (path: string, body: object) => api.send('POST', path, { token: api.first.human_token, body })
  const marketTime = async () => {
    const { rows } = await sql<{ now: Date }>`select market.now() as now`.execute(api.db)
    return rows[0]?.now.getTime() ?? 0
  }
  const chainTime = async () => Number((await chain.client.getBlock()).timestamp) * 1000
  const DAY_MS = 86_400_000

  it('moves the clock of the market and of the chain together', async () => {
    const before = { market: await marketTime(), chain: await chainTime() }
    const { status, body } = await post('/sandbox/clock/advance', { seconds: 86_400 })
    expect(status).to.equal(200)
    const now = { market: await marketTime(), chain: await chainTime() }
    expect(now.market - before.market).to.be.within(DAY_MS, DAY_MS + 60_000)
    expect(now.chain - before.chain).to.be.within(DAY_MS, DAY_MS + 60_000)
    expect(Math.abs(now.market - now.chain)).to.be.below(5_000)
    expect(Date.parse(body.now as string)).to.be.within(before.market + DAY_MS, now.market)
  })

  it('tells its time, and keeps who is signed in while a window of days ends', async () => {
    const { browser } = await signUp(api)
    const { body } = await api.send('GET', '/sandbox/clock', { token: api.first.human_token })
    expect(Date.parse(body.now as string)).to.be.within((await marketTime()) - 60_000, await marketTime())
    await post('/sandbox/clock/advance', { seconds: 30 * 86_400 })
    expect((await browser.send('GET', '/v1/me')).status).to.equal(200)
  })

  it('catches up with a chain whose clock is ahead', async () => {
    await chain.client.increaseTime({ seconds: 3600 })
    await post('/sandbox/clock/advance', { seconds: 1 })
    expect(await marketTime()).to.be.at.least(await chainTime())
  })

  it('moves the clock forward only', async () => {
    for (const seconds of [0, -1, 1.5, '60', 40_000_000]) {
      expectProblem(await post('/sandbox/clock/advance', { seconds }), 400, 'request/invalid', 'seconds')
    }
  })

  it('gives an address test money and coin for gas, and no more the second time [spec 1:18 4:46 4.1:9]', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    const first = await post('/sandbox/faucet', { address })
    expect(first.status).to.equal(200)
    expect(first.body).to.deep.include({ address, token_balance: '1000000.000000' })
    expect(await balanceOf(address)).to.equal(1_000_000_000_000n)
    expect(await chain.client.getBalance({ address })).to.equal(10n ** 18n)
    const second = await post('/sandbox/faucet', { address })
    expect(second.body).to.deep.include({ token_balance: '1000000.000000', transactions: [] })
  })

  it('answers a repeated request for funds alike, by its Idempotency-Key', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    const ask = (body: object) =>
      api.send('POST', '/sandbox/faucet', {
        token: api.first.operator_token,
        body,
        headers: { 'idempotency-key': 'funds' },
      })
    const [first, again] = await Promise.all([ask({ address }), ask({ address })])
    const answers = [first, again, await ask({ address })].filter(({ status }) => status === 200)
    for (const { body } of answers) expect(body).to.deep.equal(answers[0]?.body)
    expect(answers.at(-1)?.headers.get('idempotent-replayed')).to.equal('true')
    const other = privateKeyToAccount(generatePrivateKey()).address
    expectProblem(await ask({ address: other }), 409, 'idempotency/key-reused', 'Idempotency-Key')
    expect(await balanceOf(other)).to.equal(0n)
  })

  it('gives to many at once', async () => {
    const addresses = Array.from({ length: 8 }, () => privateKeyToAccount(generatePrivateKey()).address)
    const replies = await Promise.all(
      addresses.map((address) => post('/sandbox/faucet', { address: address.toLowerCase() })),
    )
    expect(replies.map(({ status }) => status)).to.deep.equal(addresses.map(() => 200))
    for (const address of addresses) expect(await balanceOf(address)).to.equal(1_000_000_000_000n)
  })

  it('has a new person for whoever asks, related to nobody and no operator [spec 4:46]', async () => {
    const { status, body } = await post('/sandbox/humans', { display_name: 'Ada' })
    expect(status).to.equal(201)
    const token = body.token as string
    const me = await api.send('GET', '/v1/me', { token })
    expect(me.body.owner_urn).to.deep.equal(body.urn)
    const agent = { owner_urn: body.urn, display_name: 'Agent' }
    expect((await api.send('POST', '/v1/accounts/agents', { token, body: agent })).status).to.equal(201)
    const row = await api.db.selectFrom('market.humans').select(['role', 'created_by']).orderBy('id', 'desc').limit(1)
    expect(await row.executeTakeFirst()).to.deep.equal({ role: 'member', created_by: null })
  })

  it('asks for a token all the same', async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    expectProblem(await api.send('POST', '/sandbox/faucet', { body: { address } }), 401, 'auth/unauthenticated')
  })

  it('has a database that nothing else serves [spec 1:17]', async () => {
    const subjects = async (isSandbox: boolean) => {
      const faults = await marketFaults(queryable(api.db), 'api', { program: schema, isSandbox })
      return faults.map(({ subject }) => subject)
    }
    expect(await subjects(false)).to.include('clock')
    expect(await subjects(true)).not.to.include('clock')
  })

  async function balanceOf(address: string): Promise<bigint> {
    const args = [getAddress(address)] as const
    return chain.client.readContract({ address: chain.token, abi: tokenAbi, functionName: 'balanceOf', args })
  }
})
