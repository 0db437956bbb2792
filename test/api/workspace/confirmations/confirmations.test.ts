import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Account, newAgent } from '../../../kit/api/identity/accounts/owners.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const HOUR = 3_600

describe('a question of an agent', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const ask = async (body: object = {}) => {
    const reply = await world.call('POST', '/confirmations', world.agent, { question: 'May I publish?', ...body })
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
    return String(reply.body.id)
  }
  const answer = (id: string, by: Account = world.ada, given = 'confirmed') =>
    world.call('POST', `/confirmations/${id}/answer`, by, { answer: given })
  const stateOf = async (id: string) => (await world.call('GET', `/confirmations/${id}`, world.agent)).body.state
  const told = async () => {
    const items = (await world.call('GET', '/notifications')).body.items as { confirmation: { id: string } | null }[]
    return items.map(({ confirmation }) => confirmation?.id)
  }

  it('is before its human while it is pending [spec w3:9]', async () => {
    const [first, second] = [await ask(), await ask()]
    expect(await told()).to.deep.equal([second, first])
    const { items } = (await world.call('GET', '/notifications')).body as unknown as { items: object[] }
    expect(items[0]).to.deep.include({ kind: 'confirmation.requested', role: 'approver' })
    expect((await answer(first)).body).to.include({ state: 'confirmed', asked_by: `market:agent:${world.agent.id}` })
    expect(await told()).to.deep.equal([second])
    expect((await answer(second, world.ada, 'declined')).status).to.equal(200)
    expect([await told(), await stateOf(first), await stateOf(second)]).to.deep.equal([[], 'confirmed', 'declined'])
  })

  it('is over after its time, and is asked no more [spec w3:10]', async () => {
    const id = await ask({ expires_in_seconds: HOUR })
    await passTime(world.api, HOUR)
    expect([await told(), await stateOf(id)]).to.deep.equal([[], 'expired'])
    expectCode(await answer(id), 409, 'workspace/confirmation-closed', 'confirmation_closed')
  })

  it('is answered once, and by the human alone', async () => {
    const id = await ask()
    expectCode(await answer(id, world.agent), 403, 'workspace/humans-only', 'humans_only')
    expect((await answer(id, world.stranger)).status).to.equal(404)
    expect((await answer(id, await newAgent(world.api, world.ada))).status).to.equal(404)
    expect((await answer(id)).status).to.equal(200)
    expectCode(await answer(id, world.ada, 'declined'), 409, 'workspace/confirmation-closed', 'confirmation_closed')
    expect(await stateOf(id)).to.equal('confirmed')
  })

  it('is listed to its agent and to its human, by its state', async () => {
    const other = await newAgent(world.api, world.ada)
    const listed = async (by: Account, query = '') => {
      const { status, body } = await world.call('GET', `/confirmations${query}`, by)
      expect(status, JSON.stringify(body)).to.equal(200)
      return (body.items as { id: string }[]).map(({ id }) => id)
    }
    const old = await ask({ expires_in_seconds: HOUR })
    await passTime(world.api, HOUR)
    const [no, open] = [await ask(), await ask()]
    await answer(no, world.ada, 'declined')
    const theirs = String((await world.call('POST', '/confirmations', other, { question: 'And I?' })).body.id)
    expect((await listed(world.agent)).slice(0, 3)).to.deep.equal([open, no, old])
    expect((await listed(world.ada)).slice(0, 4)).to.deep.equal([theirs, open, no, old])
    expect([await listed(other), await listed(other, '?state=confirmed')]).to.deep.equal([[theirs], []])
    expect(await listed(world.agent, '?state=pending')).to.deep.equal([open])
    expect((await listed(world.agent, '?state=declined'))[0]).to.equal(no)
    expect((await listed(world.agent, '?state=expired'))[0]).to.equal(old)
    const first = (await world.call('GET', '/confirmations?limit=1', world.agent)).body
    expect(await listed(world.agent, `?limit=1&cursor=${first.next_cursor}`)).to.deep.equal([no])
    expect((await world.call('GET', '/confirmations', world.stranger)).status).to.equal(404)
    expect((await world.call('GET', '/confirmations?state=open')).status).to.equal(400)
  })

  it('is for agents to ask', async () => {
    const { status } = await world.call('POST', '/confirmations', world.ada, { question: 'Me?' })
    expect(status).to.equal(403)
  })
})
