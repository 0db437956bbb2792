import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { type UrnObject, urnString } from '../../../../protocol/encoding/urn.ts'
import { expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import {
  everything,
  passTime,
  placed,
  signed,
  startTrading,
  type TestMarket,
  type Trader,
} from '../../../kit/api/trading.ts'

const DAY_SECONDS = 86_400
const ALL = ['read', 'transact', 'withdraw', 'manage']

interface Limit {
  per_order: string | null
  per_day: string | null
}
interface Spending {
  token_urn: UrnObject
  spend_limit: Limit | null
  spent_today: string
  left_today: string | null
  resets_at: string
}

describe('the spend limit of a token [risk API6]', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
  })
  after(() => market.stop())

  const send = (method: string, path: string, token: string, body?: unknown) =>
    market.api.send(method, path, { token, ...(body === undefined ? {} : { body }) })
  const mint = async (spend_limit: Limit | undefined, scopes = ALL, by = buyer.humanToken, of = 'agent') => {
    const owner_urn = of === 'agent' ? urnString('agent', buyer.agentId) : urnString('human', buyer.humanId)
    const { status, body } = await send('POST', '/v1/me/tokens', by, { owner_urn, scopes, spend_limit })
    expect(status, JSON.stringify(body)).to.equal(201)
    return { urn: urnString('token', body.urn.body), secret: String(body.secret) }
  }
  const perDay = (per_day: string, per_order: string | null = null) => mint({ per_order, per_day })
  const spending = async (token: string) => (await send('GET', '/v1/me/spending', token)).body as unknown as Spending
  const spent = async (token: string) => {
    const { spent_today, left_today } = await spending(token)
    return [spent_today, left_today]
  }
  const offer = (price: string) => placed(buyer, seller, 'custodied', { price })
  const fund = async (token: string, order: Awaited<ReturnType<typeof offer>>) =>
    send('POST', `/v1/orders/${order.urn}/fund`, token, { signed_authorization: await signed(market, order) })
  const pay = async (token: string, price: string) => fund(token, await offer(price))
  const set = (urn: string, limit: Limit, by = buyer.humanToken) =>
    send('PUT', `/v1/me/tokens/${urn}/spend_limit`, by, limit)

  it('is shown to the token and in the list, and is counted with every payment', async () => {
    const { secret, urn } = await perDay('50.000000', '30.000000')
    expect((await pay(secret, '20.000000')).status).to.equal(202)
    const now = await spending(secret)
    expect(now).to.deep.include({
      spend_limit: { per_order: '30.000000', per_day: '50.000000' },
      spent_today: '20.000000',
      left_today: '30.000000',
    })
    expect(now.resets_at).to.match(/T00:00:00\.000Z$/)
    const { body } = await send('GET', '/v1/me/tokens', buyer.humanToken)
    const listed = (body.tokens as (Spending & { urn: UrnObject })[]).find(
      ({ urn: of }) => urnString('token', of.body) === urn,
    )
    expect(listed).to.deep.include({ spend_limit: now.spend_limit, spent_today: '20.000000' })
    const free = await mint(undefined)
    await pay(free.secret, '7.000000')
    expect(await spending(free.secret)).to.deep.include({
      spend_limit: null,
      spent_today: '7.000000',
      left_today: null,
    })
  })

  it('refuses a payment beyond it, which says what is left and until when, and changes nothing', async () => {
    const { secret } = await perDay('30.000000', '20.000000')
    const [dear, first, second] = [await offer('20.000001'), await offer('20.000000'), await offer('10.000001')]
    const refuse = async (order: typeof dear, words: RegExp) => {
      const before = await everything(market)
      const reply = await fund(secret, order)
      expectProblem(reply, 403, 'tokens/spend-limit')
      expect(reply.body.detail).to.match(words)
      expect(await everything(market)).to.deep.equal(before)
    }
    await refuse(dear, /20\.000001.* at most 20\.000000 at once/)
    expect((await fund(secret, first)).status).to.equal(202)
    await refuse(second, /10\.000001.* 10\.000000 is left .* until \d{4}-\d\d-\d\dT00:00:00/)
    expect((await fund(buyer.token, second)).status, 'another token').to.equal(202)
  })

  it('begins anew with each day of the market, and not with a rotation', async () => {
    const { secret, urn } = await perDay('20.000000')
    expect((await pay(secret, '15.000000')).status).to.equal(202)
    const rotated = String((await send('POST', `/v1/me/tokens/${urn}/rotate`, secret)).body.secret)
    expect(await spent(rotated)).to.deep.equal(['15.000000', '5.000000'])
    expectProblem(await pay(rotated, '5.000001'), 403, 'tokens/spend-limit')
    await passTime(market.api, DAY_SECONDS)
    expect(await spent(rotated)).to.deep.equal(['0.000000', '20.000000'])
    expect((await pay(rotated, '20.000000')).status).to.equal(202)
  })

  it('counts a payment once, however often the same authorization is presented', async () => {
    const { secret } = await perDay('20.000000')
    const order = await offer('20.000000')
    expect((await fund(secret, order)).status).to.equal(202)
    // As when it could not be submitted: its payer may present it again.
    const fail = () =>
      market.api.db
        .updateTable('market.authorizations')
        .set({ state: 'failed', failure: 'reverted' })
        .where('order_id', '=', order.id)
        .execute()
    await fail()
    expect(await spent(secret)).to.deep.equal(['20.000000', '0.000000'])
    expect((await fund(secret, order)).status).to.equal(202)
    expect(await spent(secret)).to.deep.equal(['20.000000', '0.000000'])
    await fail()
    const other = await perDay('19.999999')
    expectProblem(await fund(other.secret, order), 403, 'tokens/spend-limit')
  })

  it('lets no token with one get at a token that may pay more', async () => {
    const limit = { per_order: null, per_day: '20.000000' }
    const limited = await mint(limit, ALL, buyer.humanToken, 'human')
    const [free, agents] = [await mint(undefined, ALL, buyer.humanToken, 'human'), await mint(undefined)]
    const owner_urn = urnString('agent', buyer.agentId)
    const asked = { owner_urn, scopes: ['read', 'transact'] }
    for (const spend_limit of [undefined, limit]) {
      const minted = await send('POST', '/v1/me/tokens', limited.secret, { ...asked, spend_limit })
      expectProblem(minted, 403, 'auth/forbidden', 'scopes')
      const ticket = { scopes: asked.scopes, spend_limit }
      const given = await send('POST', `/v1/me/agents/${owner_urn}/tickets`, limited.secret, ticket)
      expectProblem(given, 403, 'auth/forbidden', 'scopes')
    }
    const reader = await mint(undefined, ['read'], limited.secret)
    for (const { urn } of [free, agents]) {
      expectProblem(await send('POST', `/v1/me/tokens/${urn}/rotate`, limited.secret), 403, 'auth/forbidden')
    }
    expectProblem(
      await send('POST', `/v1/me/tokens/${free.urn}/rotate`, (await mint(limit)).secret),
      404,
      'resource/not-found',
    )
    expectProblem(
      await send('POST', `/v1/me/tokens/${agents.urn}/rotate`, (await mint(limit)).secret),
      403,
      'auth/forbidden',
    )
    for (const { urn } of [limited, free, reader]) {
      expectProblem(await set(urn, { per_order: null, per_day: null }, limited.secret), 403, 'auth/forbidden')
    }
    expectProblem(await set((await perDay('1.000000')).urn, limit, agents.secret), 403, 'auth/forbidden')
    const passkey = await send('POST', '/v1/me/passkeys/registration/options', limited.secret)
    expectProblem(passkey, 403, 'auth/forbidden')
    expect((await send('GET', '/v1/me', free.secret)).status).to.equal(200)
  })

  it('goes with a ticket to the token that the agent gets', async () => {
    const spend_limit = { per_order: '5.000000', per_day: null }
    const path = `/v1/me/agents/${urnString('agent', buyer.agentId)}/tickets`
    const issued = await send('POST', path, buyer.humanToken, { scopes: ['read', 'transact'], spend_limit })
    expect(issued.body.spend_limit).to.deep.equal(spend_limit)
    const { body } = await market.api.send('POST', '/v1/tickets/exchange', { body: { ticket: issued.body.ticket } })
    expect(body.spend_limit).to.deep.equal(spend_limit)
    expectProblem(await pay(String(body.secret), '5.000001'), 403, 'tokens/spend-limit')
    expect((await pay(String(body.secret), '5.000000')).status).to.equal(202)
  })

  it('is set by its human, and what was paid before counts', async () => {
    const { secret, urn } = await mint(undefined)
    await pay(secret, '12.000000')
    const { status, body } = await set(urn, { per_order: null, per_day: '10.000000' })
    expect(status).to.equal(200)
    expect(body).to.deep.equal(await spending(secret))
    expect(body).to.deep.include({ spent_today: '12.000000', left_today: '0.000000' })
    expectProblem(await pay(secret, '1.000000'), 403, 'tokens/spend-limit')
    expectProblem(await set(urn, { per_order: null, per_day: null }, seller.humanToken), 404, 'resource/not-found')
    expectProblem(await set(urn, { per_day: null } as Limit), 400, 'request/invalid', 'per_order')
    expect((await set(urn, { per_order: null, per_day: null })).body).to.deep.include({ spend_limit: null })
    expect((await pay(secret, '1.000000')).status).to.equal(202)
    const entries = await market.api.db
      .selectFrom('market.audit_log')
      .select('details')
      .where('subject', '=', urn)
      .where('action', '=', 'token.limit')
      .orderBy('id')
      .execute()
    expect(entries.map(({ details }) => details)).to.deep.equal([
      { from: null, to: { per_order: null, per_day: '10.000000' } },
      { from: { per_order: null, per_day: '10.000000' }, to: null },
    ])
  })

  it('is lowered by a token, and raised outside a sandbox only with a fresh passkey', async () => {
    const strict = await startApi({ sandbox: false })
    try {
      const { human_token: token, human_urn: owner_urn } = strict.first
      const ask = (spend_limit: Limit) =>
        strict.send('POST', '/v1/me/tokens', { token, body: { owner_urn, scopes: ['read', 'transact'], spend_limit } })
      const { body } = await ask({ per_order: '5.000000', per_day: '20.000000' })
      const path = `/v1/me/tokens/${urnString('token', body.urn.body)}/spend_limit`
      const put = (per_order: string | null, per_day: string | null) =>
        strict.send('PUT', path, { token, body: { per_order, per_day } })
      expect((await put('4.000000', '20.000000')).status).to.equal(200)
      for (const [per_order, per_day] of [
        ['5.000000', '20.000000'],
        ['3.000000', '20.000001'],
        ['3.000000', null],
        [null, '1.000000'],
      ] as const) {
        expectProblem(await put(per_order, per_day), 403, 're_auth_required')
      }
      expect((await put('0.000000', '0.000000')).status).to.equal(200)
    } finally {
      await strict.stop()
    }
  })

  it('is never exceeded by payments at once, whatever they are [risk spend-limit-token]', async () => {
    const day = fc.integer({ min: 1, max: 40 })
    const prices = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(day, prices, async (limit, asked) => {
        const amounts = asked.map((units) => formatAmount(BigInt(units) * 1_000_000n))
        const { secret } = await perDay(formatAmount(BigInt(limit) * 1_000_000n))
        const orders = await Promise.all(amounts.map(offer))
        const replies = await Promise.all(orders.map((order) => fund(secret, order)))
        const taken = asked.filter((_, index) => replies[index]?.status === 202)
        const sum = taken.reduce((total, units) => total + units, 0)
        expect(sum).to.be.at.most(limit)
        expect((await spending(secret)).spent_today).to.equal(formatAmount(BigInt(sum) * 1_000_000n))
        for (const [index, reply] of replies.entries()) {
          if (reply.status === 202) continue
          expectProblem(reply, 403, 'tokens/spend-limit')
          expect(Number(asked[index]), 'there was no room for it').to.be.greaterThan(limit - sum)
          const filed = market.api.db.selectFrom('market.authorizations').select('id')
          expect(await filed.where('order_id', '=', orders[index]?.id ?? '').execute()).to.deep.equal([])
        }
      }),
      { numRuns: 8 },
    )
  })
})
