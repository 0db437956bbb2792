import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { longestOrderSeconds } from '../../../../api/trading/terms/limits.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import { everything, newTrader, type Trader } from '../../../kit/api/trading.ts'

const TWO_WEEKS = 1_209_600

describe('an ask', () => {
  let api: Api
  let seller: Trader
  let other: Trader
  before(async () => {
    // Without a sandbox's looser limits.
    api = await startApi({ sandbox: false })
    seller = await newTrader({ api }, { wallet: 'unbound', scopes: ['read', 'transact'] })
    other = await newTrader({ api }, { wallet: 'unbound', scopes: ['read', 'transact'] })
  })
  after(() => api.stop())

  const fair = { title: 'Verse', description: 'Forty-two lines.', price: '20.000000' }
  const create = (body: unknown, token = seller.token) => api.send('POST', '/v1/asks', { token, body })
  const revise = (urn: string, body: unknown, token = seller.token) =>
    api.send('PATCH', `/v1/asks/${urn}`, { token, body })
  const created = async (changes = {}) => {
    const { body } = await create({ ...fair, ...changes })
    return urnString('ask', (body.urn as { body: string }).body)
  }

  it('is created with the defaults of the market, at version 1, where its answer says [spec 1:2 2.5:1 2.5:2 2.5:3 4:11 8:5]', async () => {
    const { status, body, headers } = await create(fair)
    expect(status).to.equal(201)
    const there = await api.send('GET', headers.get('location') ?? '', { token: other.token })
    expect(there.body).to.deep.equal(body)
    const { urn, created_at, updated_at, ...rest } = body as Record<string, unknown>
    expect(rest).to.deep.equal({
      ...fair,
      seller_urn: { prefix: 'agent', body: seller.agentId },
      sla_seconds: 604_800,
      auto_accept_seconds: 86_400,
      input: 'none',
      version: 1,
      active: true,
    })
    expect(urn).to.deep.include({ prefix: 'ask' })
    expect(created_at).to.equal(updated_at)
  })

  it('is read by anyone with a token, by its URN in a path: encoded or not, its UUID in either case [spec 2.1:2 2.1:4 4:12]', async () => {
    const urn = await created()
    const inCapitals = urn.replace(/[^:]+$/, (id) => id.toUpperCase())
    for (const path of [urn, encodeURIComponent(urn), inCapitals]) {
      const { status, body } = await api.send('GET', `/v1/asks/${path}`, { token: other.token })
      expect({ status, price: body.price }).to.deep.equal({ status: 200, price: '20.000000' })
    }
    const agents = await api.send('GET', `/v1/asks/${urn}`, { token: seller.humanToken })
    expect(agents.status).to.equal(200)
  })

  it('gets a new version with each change, and the old ones are kept [spec 2.5:4 4:13]', async () => {
    const urn = await created()
    const { body } = await revise(urn, { price: '21.000000', sla_seconds: 3600 })
    expect(body).to.deep.include({ ...fair, price: '21.000000', sla_seconds: 3600, version: 2, active: true })
    expect((await revise(urn, { active: false })).body).to.deep.include({ version: 3, active: false })
    const versions = await api.db
      .selectFrom('market.ask_versions')
      .select(['version', 'price_micros'])
      .where('ask_id', '=', urn.slice('market:ask:'.length))
      .orderBy('version')
      .execute()
    expect(versions.map(({ price_micros }) => price_micros)).to.deep.equal([20_000_000n, 21_000_000n, 21_000_000n])
  })

  it('gets as many versions as it has changes, when they come at once', async () => {
    const urn = await created()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => revise(urn, { price: `${index + 1}.000000` })),
    )
    const versions = replies.map(({ body }) => Number(body.version)).sort((left, right) => left - right)
    expect(versions).to.deep.equal([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('shows what it promised at each version, to anyone with a token', async () => {
    const urn = await created()
    await revise(urn, { price: '21.000000', title: 'Better verse' })
    await revise(urn, { active: false })
    const get = async (path: string) => (await api.send('GET', `/v1/asks/${urn}${path}`, { token: other.token })).body
    const { created_at, ...first } = await get('/versions/1')
    expect(first).to.deep.equal({
      ...fair,
      ask_urn: { prefix: 'ask', body: urn.slice('market:ask:'.length) },
      version: 1,
      sla_seconds: 604_800,
      auto_accept_seconds: 86_400,
      input: 'none',
    })
    expect(created_at).to.be.a('string')
    const newest = await get('/versions?limit=2')
    expect(newest.versions).to.deep.equal([await get('/versions/3'), await get('/versions/2')])
    expect(await get(`/versions?limit=2&cursor=${newest.next_cursor}`)).to.deep.equal({
      versions: [{ ...first, created_at }],
      next_cursor: null,
    })
    for (const path of [`${urn}/versions/4`, `${urn}/versions/0`, `${urnString('ask', other.agentId)}/versions`]) {
      expectProblem(await api.send('GET', `/v1/asks/${path}`, { token: other.token }), 404, 'resource/not-found')
    }
  })

  const wanted = {
    input: 'required',
    input_schema: {
      type: 'object',
      properties: { subject: { type: 'string', maxLength: 80 }, language: { enum: ['de', 'en'] } },
      required: ['subject'],
      additionalProperties: false,
    },
    input_example: { subject: 'herons', language: 'en' },
    input_instructions: 'Say what the verse is about.',
  }

  it('says at each version what input an order needs, with the members in the order of the seller', async () => {
    const urn = await created(wanted)
    const needs = ['subject (text)', 'language (one of 2, optional)']
    const { body } = await api.send('GET', `/v1/asks/${urn}`, { token: other.token })
    expect(body).to.deep.include({ ...wanted, needs })
    const { properties } = body.input_schema as { properties: object }
    expect(Object.keys(properties)).to.deep.equal(['subject', 'language'])
    const dropped = { input_schema: null, input_example: null, input_instructions: null }
    const { body: any } = await revise(urn, { ...dropped, input: 'optional' })
    expect(any).to.deep.include({ input: 'optional', needs: ['input (text, optional)'] })
    expect(any).to.not.have.any.keys('input_schema', 'input_example', 'input_instructions')
    expect((await revise(urn, { input: 'none' })).body)
      .to.include({ input: 'none' })
      .and.not.have.property('needs')
    const { body: first } = await api.send('GET', `/v1/asks/${urn}/versions/1`, { token: other.token })
    expect(first).to.deep.include({ ...wanted, needs })
  })

  it('is refused with an input that nobody could send, and the refusal names each wrong member', async () => {
    const urn = await created(wanted)
    const before = await everything({ api })
    const wrong = { language: 'fr', 'a/b': 1 }
    for (const reply of [
      await create({ ...fair, ...wanted, input_example: wrong }),
      await revise(urn, { input_example: wrong }),
    ]) {
      expectProblem(reply, 422, 'asks/input-unusable', 'input_example')
      expect(reply.body.errors).to.deep.equal([
        { pointer: '/input_example/language', detail: 'must be one of "de", "en"' },
        { pointer: '/input_example/subject', detail: 'is required' },
        { pointer: '/input_example/a~1b', detail: 'is not allowed' },
      ])
    }
    const schemaOf = (input_schema: unknown) => ({ ...fair, input: 'required', input_schema })
    const half = 'x'.repeat(8_192)
    const refused: [object, string, number?][] = [
      [{ ...fair, input_schema: {} }, 'input_schema', 422],
      [{ ...fair, input: 'none', input_instructions: 'Any.' }, 'input_instructions', 422],
      [{ ...fair, input: 'always' }, 'input'],
      [schemaOf({ pattern: '(a+)+$' }), 'input_schema'],
      [schemaOf({ properties: { photo: { $ref: 'https://example.com/' } } }), 'input_schema'],
      [schemaOf({ type: 'verse' }), 'input_schema'],
      [schemaOf([]), 'input_schema'],
      [schemaOf({ description: half, title: half }), 'input_schema'],
      [{ ...fair, input: 'optional', input_example: [half, half] }, 'input_example'],
      [{ ...fair, input: 'optional', input_instructions: '' }, 'input_instructions'],
    ]
    for (const [body, field, status = 400] of refused)
      expectProblem(await create(body), status, status === 400 ? 'request/invalid' : 'asks/input-unusable', field)
    expectProblem(await revise(urn, { input: 'none' }), 422, 'asks/input-unusable', 'input_schema')
    expectProblem(await revise(urn, { input_schema: { type: 'string' } }), 422, 'asks/input-unusable', 'input_example')
    const costly = { anyOf: [...Array.from({ length: 800 }, () => ({ type: 'null' })), true] }
    const many = Array.from({ length: 8_000 }, () => 1)
    expectProblem(
      await create({ ...schemaOf({ items: costly }), input_example: many }),
      422,
      'asks/input-unusable',
      'input_schema',
    )
    expect(await everything({ api })).to.deep.equal(before)
  })

  it('is changed at the version that was read, or not at all: 412', async () => {
    const urn = await created()
    const { headers } = await api.send('GET', `/v1/asks/${urn}`, { token: seller.token })
    expect(headers.get('etag')).to.equal('"1"')
    const reviseIf = (tag: string, price: string) =>
      api.send('PATCH', `/v1/asks/${urn}`, { token: seller.token, body: { price }, headers: { 'if-match': tag } })
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => reviseIf('"1"', `${index + 1}.000000`)))
    expect(replies.map(({ status }) => status).toSorted()).to.deep.equal([200, ...Array.from({ length: 9 }, () => 412)])
    const before = await everything({ api })
    for (const tag of ['"1"', 'W/"1"', '"1", W/"3"', '""']) {
      expectProblem(await reviseIf(tag, '30.000000'), 412, 'asks/version-mismatch', 'If-Match')
    }
    for (const tag of ['2', '"2', '*, "2"', ''])
      expectProblem(await reviseIf(tag, '30.000000'), 400, 'request/invalid', 'If-Match')
    expect(await everything({ api })).to.deep.equal(before)
    // The last two are what compressing proxies make of a tag.
    for (const [index, tag] of ['"2"', '*', '"1", "4"', 'W/"5"', '"6-gzip"'].entries()) {
      const { status, headers } = await reviseIf(tag, '30.000000')
      expect({ status, tag: headers.get('etag') }).to.deep.equal({ status: 200, tag: `"${index + 3}"` })
    }
  })

  it('is listed to its seller, the newest first, by activity, in pages [spec 2.5:5]', async () => {
    const lister = await newTrader({ api }, { wallet: 'unbound', scopes: ['read', 'transact'] })
    const offer = async () => (await create(fair, lister.token)).body.urn.body
    const [first, second, third] = [await offer(), await offer(), await offer()]
    await revise(urnString('ask', second), { active: false }, lister.token)
    const list = async (query: string) => {
      const { body } = await api.send('GET', `/v1/asks?${query}`, { token: lister.token })
      return { ids: (body.asks as { urn: { body: string } }[]).map(({ urn }) => urn.body), next: body.next_cursor }
    }
    expect((await list('')).ids).to.deep.equal([third, second, first])
    expect((await list('active=true')).ids).to.deep.equal([third, first])
    expect((await list('active=false')).ids).to.deep.equal([second])
    const page = await list('limit=2')
    expect(page.ids).to.deep.equal([third, second])
    expect(await list(`limit=2&cursor=${page.next}`)).to.deep.equal({ ids: [first], next: null })
    for (const query of [`active=true&cursor=${page.next}`, 'cursor=x']) {
      const reply = await api.send('GET', `/v1/asks?${query}`, { token: lister.token })
      expectProblem(reply, 400, 'request/invalid', 'cursor')
    }
    // The same to others, by the seller's URN.
    const theirs = async (query: string, urn = urnString('agent', lister.agentId)) =>
      (await api.send('GET', `/v1/agents/${urn}/asks?${query}`, { token: other.token })).body
    const idsOf = (body: Record<string, unknown>) =>
      (body.asks as { urn: { body: string } }[]).map(({ urn }) => urn.body)
    expect(idsOf(await theirs(''))).to.deep.equal([third, second, first])
    expect(idsOf(await theirs('active=true'))).to.deep.equal([third, first])
    const { next_cursor } = await theirs('limit=2')
    expect(await theirs(`limit=2&cursor=${next_cursor}`)).to.deep.include({ next_cursor: null })
    expect(idsOf(await theirs(`limit=2&cursor=${next_cursor}`))).to.deep.equal([first])
    expect(await theirs('', urnString('agent', other.agentId))).to.deep.equal({ asks: [], next_cursor: null })
    for (const urn of [urnString('agent', other.agentId), urnString('agent', randomUUID())])
      expect(await theirs(`limit=2&cursor=${next_cursor}`, urn))
        .to.have.property('status')
        .above(399)
    expectProblem(await api.send('GET', '/v1/asks?active=1', { token: lister.token }), 400, 'request/invalid', 'active')
  })

  const refusals: [string, object, number, string, string][] = [
    ...[
      '1e3',
      '-1.000000',
      '0.0000001',
      '18446744073709551616.000000',
      '1000000000000.000000',
      '20',
      '20.00',
      '+1.000000',
      ' 20.000000',
      '020.000000',
      '.500000',
      '1,000.000000',
      '٢٠.000000',
      'NaN',
      'Infinity',
      '0x14.000000',
      '',
    ].map((price): [string, object, number, string, string] => [
      `the price ${JSON.stringify(price)}`,
      { price },
      400,
      'request/invalid',
      'price',
    ]),
    ['a price that is a number', { price: 20 }, 400, 'request/invalid', 'price'],
    ['no price', { price: undefined }, 400, 'request/invalid', 'price'],
    ['a price of nothing', { price: '0.000000' }, 422, 'asks/price-missing', 'price'],
    ['an SLA of nothing', { sla_seconds: 0 }, 400, 'request/invalid', 'sla_seconds'],
    ['half a second of SLA', { sla_seconds: 0.5 }, 400, 'request/invalid', 'sla_seconds'],
    ['an SLA of 2^53', { sla_seconds: 2 ** 53 }, 400, 'request/invalid', 'sla_seconds'],
    ['an SLA too long', { sla_seconds: 5_184_001 }, 422, 'asks/window-out-of-range', 'sla_seconds'],
    ['a window too short', { auto_accept_seconds: 3599 }, 422, 'asks/window-out-of-range', 'auto_accept_seconds'],
    [
      'a window too long',
      { auto_accept_seconds: TWO_WEEKS + 1 },
      422,
      'asks/window-out-of-range',
      'auto_accept_seconds',
    ],
    ['no title', { title: '' }, 400, 'request/invalid', 'title'],
    ['a title too long', { title: 'a'.repeat(201) }, 400, 'request/invalid', 'title'],
    ['a NUL in its title', { title: 'a\0b' }, 400, 'request/invalid', 'title'],
    ['a description that is no text', { description: ['a'] }, 400, 'request/invalid', 'description'],
    ['a seller it does not name', { seller_urn: 'me' }, 400, 'request/invalid', 'seller_urn'],
  ]
  for (const [name, changes, status, type, field] of refusals) {
    it(`is refused with ${name}: ${status}, when it is made and when it is changed [spec 2.1:7 4:11 7:15]`, async () => {
      const urn = await created()
      const before = await everything({ api })
      expectProblem(await create({ ...fair, ...changes }), status, type, field)
      const isLeftOut = Object.values(changes).every((value) => value === undefined)
      if (!isLeftOut) expectProblem(await revise(urn, changes), status, type, field)
      expect(await everything({ api })).to.deep.equal(before)
    })
  }

  it('takes the limits themselves', async () => {
    for (const price of ['0.100000', '10000.000000']) expect((await create({ ...fair, price })).status).to.equal(201)
    const longest = { sla_seconds: 5_184_000, auto_accept_seconds: TWO_WEEKS }
    expect((await create({ ...fair, ...longest })).status).to.equal(201)
  })

  it('is refused a change that no order has time for together with what stays as it is: 422', async (t) => {
    const urn = await created({ auto_accept_seconds: TWO_WEEKS })
    const { rules } = api.settings
    const { maxSlaSeconds, holdSeconds } = rules
    const windows = { slaSeconds: maxSlaSeconds, autoAcceptSeconds: TWO_WEEKS }
    t.after(() => Object.assign(rules, { holdSeconds }))
    Object.assign(rules, { holdSeconds: longestOrderSeconds(rules, windows) + rules.settlementMarginSeconds - 1 })
    const change = (sla_seconds: number) => revise(urn, { sla_seconds })
    expectProblem(await change(maxSlaSeconds), 422, 'orders/windows-too-long', 'auto_accept_seconds')
    expect((await change(maxSlaSeconds - 1)).status).to.equal(200)
  })

  it('is changed by its seller alone: 403; a change names something: 400; and something there is: 404 [spec 4:13 7:9]', async () => {
    const urn = await created()
    const before = await everything({ api })
    expectProblem(await revise(urn, { price: '1.000000' }, other.token), 403, 'auth/forbidden')
    expectProblem(await revise(urn, {}), 400, 'request/invalid')
    expectProblem(await revise(urnString('ask', seller.agentId), { active: false }), 404, 'resource/not-found')
    expectProblem(await api.send('GET', '/v1/asks/verse', { token: seller.token }), 404, 'resource/not-found')
    expect(await everything({ api })).to.deep.equal(before)
  })

  it('is refused with every field that is wrong, the first of them by its name', async () => {
    const { body } = await create({ title: '', price: '20', colour: 'red', size: 1 }, seller.token)
    expect(body.field).to.equal('title')
    for (const field of ['title', 'description', 'price', 'colour', 'size'])
      expect(body.detail).to.include(`${field}: `)
  })

  it('is made with the scope to trade: 403', async () => {
    const reader = await newTrader({ api }, { owner: seller, scopes: ['read'], wallet: 'unbound' })
    expectProblem(await create(fair, reader.token), 403, 'auth/scope-insufficient')
  })

  it('is made by an agent, or by a human as one of theirs', async () => {
    expectProblem(await create(fair, seller.humanToken), 403, 'auth/forbidden', 'Market-Agent')
    const as = (agentId: string) =>
      api.send('POST', '/v1/asks', {
        token: seller.humanToken,
        body: fair,
        headers: { 'market-agent': urnString('agent', agentId) },
      })
    expect((await as(seller.agentId)).body.seller_urn).to.deep.equal({ prefix: 'agent', body: seller.agentId })
    expectProblem(await as(other.agentId), 403, 'auth/forbidden', 'Market-Agent')
  })
})
