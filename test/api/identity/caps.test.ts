import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Account, newHuman } from '../../kit/api/identity/accounts/owners.ts'
import { type Api, expectProblem, startApi } from '../../kit/api/platform/http/api.ts'

const MOST = 3

describe('a person', () => {
  let api: Api
  let ada: Account
  before(async () => {
    api = await startApi({ rules: { maxOwnedOrgs: MOST, maxAgents: MOST } })
    ada = await newHuman(api, 'Ada')
  })
  after(() => api.stop())

  const send = (method: string, path: string, body?: object, by = ada) =>
    api.send(method, path, { token: by.token, ...(body ? { body } : {}) })
  let number = 0
  const found = (by = ada) => send('POST', '/v1/me/orgs', { slug: `works-${++number}`, display_name: 'Works' }, by)
  const agent = (by = ada) => send('POST', '/v1/accounts/agents', { owner_urn: by.urn, display_name: 'Scout' }, by)

  it('owns so many orgs and no more, each with a quota of its own, also when they are founded at once [risk account-quotas API4]', async () => {
    const founded = await Promise.all(Array.from({ length: MOST + 2 }, () => found()))
    expect(founded.map(({ status }) => status).sort()).to.deep.equal([201, 201, 201, 409, 409])
    expectProblem(await found(), 409, 'orgs/too-many')
    const { body } = await send('GET', '/v1/me/orgs')
    const [org] = body.orgs as { urn: { body: string } }[]
    expect((await send('DELETE', `/v1/me/orgs/market:org:${org?.urn.body}`)).status).to.equal(204)
    expect((await found()).status).to.equal(201)
  })

  it('gets no more by being made an owner', async () => {
    const eve = await newHuman(api, 'Eve')
    const org = `market:org:${(await found(eve)).body.urn.body}`
    expect(
      (await send('POST', `/v1/me/orgs/${org}/invitations`, { human_urn: ada.urn, role: 'owner' }, eve)).status,
    ).to.equal(201)
    expectProblem(await send('POST', `/v1/me/orgs/${org}/join`), 409, 'orgs/too-many')
    expect(
      (await send('POST', `/v1/me/orgs/${org}/invitations`, { human_urn: ada.urn, role: 'member' }, eve)).status,
    ).to.equal(201)
    expect((await send('POST', `/v1/me/orgs/${org}/join`)).status).to.equal(200)
    expectProblem(
      await send('PATCH', `/v1/me/orgs/${org}/members/${ada.urn}`, { role: 'owner' }, eve),
      409,
      'orgs/too-many',
    )
  })

  it('has so many active agents and no more, each with a rate limit of its own', async () => {
    const made = await Promise.all(Array.from({ length: MOST + 2 }, () => agent()))
    expect(made.map(({ status }) => status).sort()).to.deep.equal([201, 201, 201, 409, 409])
    expectProblem(await agent(), 409, 'agents/too-many')
    const urn = made.find(({ status }) => status === 201)?.body.urn.body
    expect((await send('POST', `/v1/me/agents/market:agent:${urn}/deactivate`)).status).to.equal(200)
    expect((await agent()).status).to.equal(201)
  })
})
