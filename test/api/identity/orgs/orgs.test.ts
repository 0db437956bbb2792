import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { installSandboxClock } from '../../../../api/sandbox/install.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Account, firstHuman, mint, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { erase, fileDueErasure, runErasures } from '../../../kit/api/identity/erasure.ts'
import { type Api, expectProblem, type Reply, startApi } from '../../../kit/api/platform/http/api.ts'
import { passTime } from '../../../kit/api/trading.ts'

type Role = 'owner' | 'admin' | 'member'

describe('an org', () => {
  let api: Api
  let ada: Account
  let bob: Account
  let count = 0
  before(async () => {
    api = await startApi()
    await installSandboxClock(api.databaseUrl)
    ada = firstHuman(api)
    bob = await newHuman(api, 'Bob')
  })
  after(() => api.stop())

  const call = (method: string, path: string, by: Account, body?: object) =>
    api.send(method, path, { token: by.token, ...(body ? { body } : {}) })
  const found = async (by: Account) => {
    count += 1
    const reply = await call('POST', '/v1/me/orgs', by, { slug: `org-${count}`, display_name: 'Works' })
    expect(reply.status).to.equal(201)
    return `/v1/me/orgs/${urnString('org', reply.body.urn.body)}`
  }
  const invite = (org: string, by: Account, whom: Account, role: Role = 'member') =>
    call('POST', `${org}/invitations`, by, { human_urn: whom.urn, role })
  const join = (org: string, by: Account) => call('POST', `${org}/join`, by)
  const setRole = (org: string, by: Account, whom: Account, role: Role) =>
    call('PATCH', `${org}/members/${whom.urn}`, by, { role })
  const remove = (org: string, by: Account, whom: Account) => call('DELETE', `${org}/members/${whom.urn}`, by)
  const add = async (org: string, owner: Account, role: Role) => {
    const human = await newHuman(api, role)
    expect((await invite(org, owner, human, role)).status).to.equal(201)
    expect((await join(org, human)).status).to.equal(200)
    return human
  }
  const rolesOf = async (org: string, by: Account) => {
    const { body } = await call('GET', `${org}/members`, by)
    const members = body.members as { human_urn: { body: string }; role: Role }[]
    return Object.fromEntries(members.map(({ human_urn: { body: id }, role }) => [id, role]))
  }
  const namesOf = ({ body }: Reply, list: string) => (body[list] as { slug: string }[]).map(({ slug }) => slug)

  it('is owned by whoever founds it, under a slug that is theirs alone [spec 4:50]', async () => {
    const reply = await call('POST', '/v1/me/orgs', ada, { slug: 'difference-engines', display_name: 'Engines' })
    expect(reply.status).to.equal(201)
    expect(reply.body).to.deep.include({ slug: 'difference-engines', display_name: 'Engines', role: 'owner' })
    const org = `/v1/me/orgs/${urnString('org', reply.body.urn.body)}`
    expect((await call('GET', org, ada)).body).to.deep.equal(reply.body)
    expect(namesOf(await call('GET', '/v1/me/orgs', ada), 'orgs')).to.include('difference-engines')
    const taken = await call('POST', '/v1/me/orgs', bob, { slug: 'difference-engines', display_name: 'Mine' })
    expectProblem(taken, 409, 'orgs/slug-taken', 'slug')
    for (const slug of ['A', 'a', '-a', 'a-', 'a--b', 'a/b', 'ä', 'x'.repeat(41)]) {
      expectProblem(await call('POST', '/v1/me/orgs', ada, { slug, display_name: 'x' }), 400, 'request/invalid', 'slug')
    }
  })

  it('is not founded under a slug that looks like that of another, also when both come at once', async () => {
    const found = (slug: string) => call('POST', '/v1/me/orgs', ada, { slug, display_name: 'Mill' })
    expect((await found('mill-10')).status).to.equal(201)
    for (const slug of ['mill-1o', 'mill-l0', 'rnill-10'])
      expectProblem(await found(slug), 409, 'orgs/slug-taken', 'slug')
    expect((await found('mill-11')).status).to.equal(201)
    const both = await Promise.all([found('mill-20'), found('mill-2o')])
    expect(both.map(({ status }) => status).sort()).to.deep.equal([201, 409])
  })

  it('takes nobody in but by their own doing', async () => {
    const org = await found(ada)
    expectProblem(await join(org, bob), 404, 'resource/not-found')
    expect((await invite(org, ada, bob, 'admin')).body).to.deep.include({ role: 'admin' })
    expect(await rolesOf(org, ada)).to.deep.equal({ [ada.id]: 'owner' })
    expectProblem(await call('GET', org, bob), 404, 'resource/not-found')
    expect(namesOf(await call('GET', '/v1/me/invitations', bob), 'invitations')).to.deep.equal([`org-${count}`])
    const eve = await newHuman(api, 'Eve')
    expectProblem(await join(org, eve), 404, 'resource/not-found')
    expect((await join(org, bob)).body).to.include({ role: 'admin' })
    expect(await rolesOf(org, bob)).to.deep.equal({ [ada.id]: 'owner', [bob.id]: 'admin' })
    expectProblem(await join(org, bob), 404, 'resource/not-found')
    expectProblem(await invite(org, ada, bob), 409, 'orgs/already-member', 'human_urn')
    const nobody = { ...bob, urn: 'market:human:01890000-0000-7000-8000-000000000000' }
    expectProblem(await invite(org, ada, nobody), 404, 'resource/not-found')
  })

  it('forgets an invitation that was declined, taken back, too old, or of somebody who may invite no more', async () => {
    const org = await found(ada)
    const withdraw = (by: Account, whom: Account) => call('DELETE', `${org}/invitations/${whom.urn}`, by)
    for (const by of [bob, ada]) {
      await invite(org, ada, bob)
      expect((await withdraw(by, bob)).status).to.equal(204)
      expectProblem(await join(org, bob), 404, 'resource/not-found')
      expectProblem(await withdraw(by, bob), 404, 'resource/not-found')
    }
    await invite(org, ada, bob)
    await passTime(api, api.settings.rules.invitationSeconds)
    expectProblem(await join(org, bob), 404, 'resource/not-found')
    for (const [path, by] of [
      [`${org}/invitations`, ada],
      ['/v1/me/invitations', bob],
    ] as const)
      expect(namesOf(await call('GET', path, by), 'invitations')).to.deep.equal([])
    const admin = await add(org, ada, 'admin')
    expect((await invite(org, admin, bob)).status).to.equal(201)
    expect((await remove(org, ada, admin)).status).to.equal(204)
    expectProblem(await join(org, bob), 404, 'resource/not-found')
  })

  it('lets each role do what it may, and strangers not even know of it', async () => {
    const org = await found(ada)
    const [owner, admin, member] = [ada, await add(org, ada, 'admin'), await add(org, ada, 'member')]
    const [stranger, guest] = [bob, await newHuman(api, 'Guest')]
    const victim = await add(org, ada, 'member')
    const acts: [string, (by: Account) => Promise<Reply>, Account[]][] = [
      ['rename', (by) => call('PATCH', org, by, { display_name: 'Other' }), [owner, admin]],
      ['invite a member', (by) => invite(org, by, guest), [owner, admin]],
      ['invite an admin', (by) => invite(org, by, guest, 'admin'), [owner]],
      ['invite an owner', (by) => invite(org, by, guest, 'owner'), [owner]],
      ['read the invitations', (by) => call('GET', `${org}/invitations`, by), [owner, admin]],
      ['change a role', (by) => setRole(org, by, victim, 'member'), [owner]],
      ['read it', (by) => call('GET', org, by), [owner, admin, member]],
      ['read the members', (by) => call('GET', `${org}/members`, by), [owner, admin, member]],
    ]
    for (const [name, act, allowed] of acts) {
      for (const by of [owner, admin, member]) {
        const reply = await act(by)
        if (allowed.includes(by)) expect(reply.status, name).to.be.oneOf([200, 201])
        else expectProblem(reply, 403, 'auth/forbidden')
      }
      expectProblem(await act(stranger), 404, 'resource/not-found')
    }
    expectProblem(await remove(org, member, victim), 403, 'auth/forbidden')
    expectProblem(await remove(org, stranger, victim), 404, 'resource/not-found')
    expectProblem(await remove(org, admin, owner), 403, 'auth/forbidden')
    expectProblem(await call('DELETE', org, admin), 403, 'auth/forbidden')
    expectProblem(await call('DELETE', org, owner), 409, 'orgs/not-empty')
    expect((await remove(org, admin, victim)).status).to.equal(204)
    expect((await remove(org, member, member)).status).to.equal(204)
    expectProblem(await call('GET', org, member), 404, 'resource/not-found')
  })

  it('is never without an owner, even when all leave at once', async () => {
    const org = await found(ada)
    expectProblem(await remove(org, ada, ada), 409, 'orgs/last-owner')
    expectProblem(await setRole(org, ada, ada, 'member'), 409, 'orgs/last-owner')
    const owners = [ada, await add(org, ada, 'owner'), await add(org, ada, 'owner'), await add(org, ada, 'owner')]
    const replies = await Promise.all(
      owners.map((owner, index) => (index % 2 ? remove(org, owner, owner) : setRole(org, owner, owner, 'member'))),
    )
    const last = owners[replies.findIndex(({ status }) => status === 409)] ?? ada
    expect(replies.filter(({ status }) => status === 409)).to.have.length(1)
    expect(Object.values(await rolesOf(org, last)).filter((role) => role === 'owner')).to.have.length(1)
  })

  it('keeps its last owner from being erased, and goes with whoever is alone in it', async () => {
    const [owner, member] = [await newHuman(api, 'Owner'), await newHuman(api, 'Member')]
    const org = await found(owner)
    const slug = `org-${count}`
    await invite(org, owner, member)
    await join(org, member)
    const blocked = await erase(api, owner.token)
    expectProblem(blocked, 409, 'erase_blocked')
    expect(blocked.body.reasons).to.deep.equal([{ code: 'org_last_owner', count: 1 }])
    expect((await erase(api, member.token)).status).to.equal(202)
    expect(await rolesOf(org, owner)).to.deep.equal({ [owner.id]: 'owner' })
    expect((await erase(api, owner.token)).status).to.equal(202)
    expect((await call('POST', '/v1/me/orgs', bob, { slug, display_name: 'Again' })).status).to.equal(201)
  })

  it('keeps an owner when two are erased at once', async () => {
    const [one, two, member] = [await newHuman(api), await newHuman(api), await newHuman(api)]
    const org = await found(one)
    await invite(org, one, two, 'owner')
    await join(org, two)
    await invite(org, one, member)
    await join(org, member)
    for (const { id } of [one, two]) await fileDueErasure(api.db, id)
    await Promise.all([runErasures(api), runErasures(api)])
    expect(Object.values(await rolesOf(org, member)).sort()).to.deep.equal(['member', 'owner'])
  })

  it('is deleted by the owner who is alone in it', async () => {
    const org = await found(ada)
    await invite(org, ada, bob)
    expect((await call('DELETE', org, ada)).status).to.equal(204)
    expectProblem(await call('GET', org, ada), 404, 'resource/not-found')
    expectProblem(await join(org, bob), 404, 'resource/not-found')
  })

  it('is listed page by page, and so are those in it', async () => {
    const owner = await newHuman(api)
    const orgs = [await found(owner), await found(owner), await found(owner)]
    const pages = async (path: string, list: string) => {
      const seen: unknown[] = []
      for (let cursor: unknown = ''; cursor !== null; ) {
        const { body } = await call('GET', `${path}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`, owner)
        seen.push(...(body[list] as unknown[]))
        cursor = body.next_cursor
      }
      return seen.length
    }
    expect(await pages('/v1/me/orgs', 'orgs')).to.equal(3)
    const [org = ''] = orgs
    for (const role of ['member', 'admin', 'owner'] as const) await add(org, owner, role)
    expect(await pages(`${org}/members`, 'members')).to.equal(4)
  })

  it('is for humans, with the scope manage to change and read to see', async () => {
    const org = await found(ada)
    const agent = await newAgent(api, ada)
    expectProblem(await call('GET', org, agent), 403, 'auth/forbidden')
    const reader = { ...ada, token: await mint(api, ada.token, ada.urn, ['read', 'transact', 'withdraw']) }
    expect((await call('GET', org, reader)).status).to.equal(200)
    expectProblem(await call('PATCH', org, reader, { display_name: 'x' }), 403, 'auth/scope-insufficient')
  })
})
