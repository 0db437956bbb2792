import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { getMe } from '../../api/identity/accounts/routes.ts'
import { createAsk, getAsk } from '../../api/trading/listings/routes.ts'
import { urnString } from '../../protocol/urn.ts'
import { createClient } from '../../sdk/client.ts'
import { ApiProblem } from '../../sdk/problem.ts'
import { type Api, startApi } from '../api/platform/http/api.ts'
import { newTrader } from '../api/trading.ts'

describe('the client', () => {
  let api: Api
  before(async () => {
    api = await startApi()
  })
  after(() => api.stop())

  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('fills paths, sends bodies, and answers with what the route promises', async () => {
    const { client } = await newTrader({ api }, { wallet: 'unbound' })
    const { status, body } = await client.call(createAsk, {
      body: { title: 'Verse', description: 'Forty-two lines.', price: '20.000000' },
    })
    expect(status).to.equal(201)
    const read = await client.call(getAsk, { params: { urn: urnString('ask', body.urn.body) } })
    expect(read.body).to.deep.equal(body)
  })

  it('throws the problem it was answered with', async () => {
    const { client } = await newTrader({ api }, { wallet: 'unbound' })
    const body = { title: 'Verse', description: 'Forty-two lines.', price: '20' }
    const error = await failureOf(client.call(createAsk, { body }))
    expect(error).to.be.instanceOf(ApiProblem)
    expect(error).to.deep.include({ status: 400, type: 'market:error:request/invalid', field: 'price' })
    expect((error as ApiProblem).instance).to.match(/^market:request:/)
    expect((error as ApiProblem).message).to.include('six fractional digits')
  })

  it('throws a problem too when something in between answers with a page', async () => {
    const page: typeof fetch = async () =>
      new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })
    const client = createClient({ baseUrl: api.baseUrl, token: api.first.human_token, fetch: page })
    const error = await failureOf(client.call(getMe, {}))
    expect(error).to.be.instanceOf(ApiProblem).and.to.deep.include({ status: 502, type: 'about:blank' })
  })

  it('speaks the older version when told to', async () => {
    const client = createClient({ baseUrl: api.baseUrl, token: api.first.human_token, version: '2026-05-05' })
    const { headers } = await client.call(getMe, {})
    expect(headers.get('market-version')).to.equal('2026-05-05')
  })
})
