import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Account, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { erase } from '../../../kit/api/identity/erasure.ts'
import { openEventSource } from '../../../kit/api/platform/events/receivers.ts'
import { eventsOf, join, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

describe('an agent in an org', () => {
  let world: Workspace
  let bob: Account
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
  })
  after(() => world.stop())

  const change = (step: string, { urn }: Account, by = world.ada) => world.call('POST', `/agents/${urn}/${step}`, by)
  const expectShutOut = async (agent: Account) => {
    for (const path of ['/spaces', '/pages', `/pages/${world.page.id}`, '/attachments', '/search?q=verse', '/usage']) {
      expectCode(await world.call('GET', path, agent), 403, 'workspace/agent-shut-out', 'agent_shut_out')
    }
    const space = await world.call('POST', '/spaces', agent, { name: 'Mine' })
    expectCode(space, 403, 'workspace/agent-shut-out', 'agent_shut_out')
    const { body } = await world.api.send('GET', '/v1/events?subjects=page.*', { token: agent.token })
    expect(body.events).to.deep.equal([])
  }
  const expectIn = async (agent: Account) => expect((await world.call('GET', '/spaces', agent)).status).to.equal(200)

  it('is made a member by its owner, once, and listed', async () => {
    const agent = await newAgent(world.api, bob)
    const body = { agent_urn: agent.urn }
    expect((await world.call('POST', '/agents', world.ada, body)).status).to.equal(404)
    expect((await world.call('POST', '/agents', bob, body)).status).to.equal(201)
    const again = await world.call('POST', '/agents', bob, body)
    expectCode(again, 409, 'workspace/agent-exists', 'agent_exists')
    const { items } = (await world.call('GET', '/agents', world.agent)).body
    const [listed, ...others] = items as { state: string }[]
    expect(others).to.deep.equal([])
    expect(listed).to.deep.include({ state: 'active', agent_urn: { prefix: 'agent', body: agent.id } })
  })

  it('does nothing while it is paused, and nothing more once it is revoked', async () => {
    const agent = await newAgent(world.api, bob)
    await expectIn(agent)
    expect((await change('pause', agent)).body.state).to.equal('paused')
    await expectShutOut(agent)
    expectCode(await change('resume', agent, bob), 403, 'auth/forbidden', 'forbidden')
    expect((await change('resume', agent)).body.state).to.equal('active')
    await expectIn(agent)
    expect((await change('revoke', agent, bob)).body.state).to.equal('revoked')
    await expectShutOut(agent)
    for (const step of ['pause', 'resume', 'revoke']) {
      expectCode(await change(step, agent), 409, 'workspace/agent-state-conflict', 'agent_state_conflict')
    }
    const stranger = await newAgent(world.api, world.stranger)
    expect((await change('pause', stranger)).status).to.equal(404)
  })

  it('is shut out with all others by the kill switch, its stream within a second', async () => {
    const agent = await newAgent(world.api, bob)
    const { source } = await openEventSource(world.api.baseUrl, agent.token, '?subjects=attachment.*')
    const ended = new Promise<number>((resolve) =>
      source.addEventListener('error', () => resolve(performance.now()), { once: true }),
    )
    const request = { engaged: true }
    expectCode(await world.call('PUT', '/kill-switch', bob, request), 403, 'auth/forbidden', 'forbidden')
    expect((await world.call('PUT', '/kill-switch', world.ada, request)).body.engaged).to.equal(true)
    await world.call('PUT', '/kill-switch', world.ada, request)
    await ended
    source.close()
    await expectShutOut(agent)
    await expectShutOut(world.agent)
    expect((await world.call('GET', '/spaces', bob)).status).to.equal(200)
    expect((await world.api.send('GET', '/v1/me', { token: agent.token })).status).to.equal(200)
    expect((await world.call('PUT', '/kill-switch', world.ada, { engaged: false })).body.engaged_at).to.equal(null)
    await expectIn(agent)
    const switched = (await eventsOf(world, 'agent.kill_switch')).map(({ payload }) => payload.data)
    expect(switched).to.deep.equal([{ engaged: true }, { engaged: false }])
  })

  it('is told of with every change, as members are [spec w6.1:7]', async () => {
    const carol = await newHuman(world.api, 'Carol')
    const org = await join(world, carol)
    const member = `/v1/me/orgs/${org}/members/${carol.urn}`
    await world.api.send('PATCH', member, { token: world.ada.token, body: { role: 'admin' } })
    await world.api.send('DELETE', member, { token: carol.token })
    const about = (await eventsOf(world, 'member.*')).filter(({ payload }) => payload.entity_id === carol.id)
    expect(about.map(({ event_type, payload }) => [event_type, payload.data])).to.deep.equal([
      ['member.added', { role: 'member' }],
      ['member.role_changed', { role: 'admin' }],
      ['member.removed', { role: 'admin' }],
    ])
    const types = new Set((await eventsOf(world, 'agent.*')).map(({ event_type }) => event_type))
    expect([...types]).to.have.members(
      ['created', 'paused', 'resumed', 'revoked', 'kill_switch'].map((type) => `agent.${type}`),
    )
  })

  it('leaves with a human who is erased', async () => {
    const dora = await newMember(world, 'Dora')
    const erased = await erase(world.api, dora.token)
    expect(erased.status, JSON.stringify(erased.body)).to.equal(202)
    const last = (await eventsOf(world, 'member.removed')).at(-1)
    expect(last?.payload.entity_id).to.equal(dora.id)
  })
})
