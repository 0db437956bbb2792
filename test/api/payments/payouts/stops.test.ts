import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Api, expectProblem, type Reply, startApi } from '../../platform/http/api.ts'

describe('the stop switch of payouts', () => {
  let api: Api
  let token: string

  before(async () => {
    api = await startApi()
    token = api.first.operator_token
  })

  after(() => api.stop())

  const stop = (reason: string) => api.send('POST', '/v1/payout-stops', { token, body: { reason } })
  const list = () => api.send('GET', '/v1/payout-stops', { token })
  const lift = (urn: string) => api.send('POST', `/v1/payout-stops/${urn}/lift`, { token })
  const urnOf = ({ body }: Reply) => `market:${body.urn.prefix}:${body.urn.body}`

  it('is thrown and released by an operator, each time for all to see who did', async () => {
    const raised = await stop('The hot wallet is being moved.')
    expect(raised.status).to.equal(201)
    expect(raised.body).to.include({ reason: 'The hot wallet is being moved.', fact: null, lifted_at: null })
    const lifted = await lift(urnOf(raised))
    expect(lifted.status).to.equal(200)
    expect(lifted.body.lifted_by).to.equal(raised.body.raised_by)
    expectProblem(await lift(urnOf(raised)), 404, 'resource/not-found')
  })

  it('stands as often as it was thrown', async () => {
    const [one, two] = [await stop('One reason.'), await stop('Another.')]
    await lift(urnOf(one))
    const { stops } = (await list()).body as { stops?: { urn: unknown; lifted_at: string | null }[] }
    const standing = stops?.filter(({ lifted_at }) => lifted_at === null)
    expect(standing?.map(({ urn }) => urn)).to.deep.equal([two.body.urn])
  })

  it("is nobody else's", async () => {
    const other = { token: api.first.human_token }
    const raised = await stop('A third reason.')
    const calls = [
      api.send('POST', '/v1/payout-stops', { ...other, body: { reason: 'Mine.' } }),
      api.send('GET', '/v1/payout-stops', other),
      api.send('POST', `/v1/payout-stops/${urnOf(raised)}/lift`, other),
    ]
    for (const call of calls) expectProblem(await call, 403, 'auth/forbidden')
  })
})
