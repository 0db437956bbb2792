import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

describe('a decision', () => {
  let world: Workspace
  let bob: Account
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
  })
  after(() => world.stop())

  const decide = async (body: object, by = bob, expected = 201) => {
    const reply = await world.call('POST', '/decisions', by, { space: world.page.space_id, title: 'Verse', ...body })
    expect(reply.status, JSON.stringify(reply.body)).to.equal(expected)
    return reply
  }
  const listed = async (query: string, by = world.ada) =>
    ((await world.call('GET', `/decisions?${query}`, by)).body.items as { id: string }[]).map(({ id }) => id)

  it('is recorded on a page or a task, told to their authors, and its place is taken by a later one [spec w6.1:9]', async () => {
    const page = await world.newPage('one')
    const { body: task } = await world.call('POST', '/tasks', bob, { space: page.space_id, title: 'Write' })
    const { body: first } = await decide({ page: page.short_id, task: task.id, text: 'It **rhymes**.' })
    expect(first).to.include({ page_id: page.id, task_id: task.id, superseded_by: null, created_by: bob.urn })
    const { body: second } = await decide({ page: page.id, supersedes: first.short_id, title: 'Prose' }, world.agent)
    expect((await world.call('GET', `/decisions/${first.short_id}`)).body.superseded_by).to.equal(second.id)
    expect(await listed(`page=${page.id}`)).to.deep.equal([second.id, first.id])
    expect(await listed(`task=${task.id}`)).to.deep.equal([first.id])
    expect(await listed(`page=${page.id}&superseded=false`)).to.deep.equal([second.id])
    const late = await decide({ supersedes: first.id }, bob, 409)
    expectCode(late, 409, 'workspace/decision-superseded', 'decision_superseded')
    const own = (await eventsOf(world, 'decision.recorded')).map(({ payload }) => [payload.entity_id, payload.data])
    expect(own).to.deep.equal([
      [first.id, { page_id: page.id, task_id: task.id, supersedes: null }],
      [second.id, { page_id: page.id, task_id: null, supersedes: first.id }],
    ])
    for (const [who, entity] of [
      [world.ada, first],
      [bob, second],
    ] as const) {
      const { items } = (await world.call('GET', '/notifications', who)).body as unknown as {
        items: { entity_id: string }[]
      }
      expect(items.map(({ entity_id }) => entity_id)).to.include(entity.id)
    }
  })

  it('of a private space is its members’, and stays in its space', async () => {
    const { body: space } = await world.call('POST', '/spaces', world.ada, { name: 'Ours', visibility: 'private' })
    const { body: hidden } = await decide({ space: space.id }, world.ada)
    expect((await world.call('GET', `/decisions/${hidden.id}`, bob)).status).to.equal(404)
    expect(await listed('', bob)).not.to.include(hidden.id)
    await decide({ space: space.id }, bob, 404)
    await decide({ supersedes: hidden.id }, world.ada, 404)
    expect((await world.call('GET', '/decisions', world.stranger)).status).to.equal(404)
    expectCode(await world.call('DELETE', `/spaces/${space.id}`), 409, 'workspace/space-not-empty', 'space_not_empty')
    await world.call('PATCH', `/spaces/${space.id}`, world.ada, { archived: true })
    await decide({ space: space.id }, world.ada, 409)
  })
})
