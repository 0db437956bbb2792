import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const QUERY = 'view=board&assignee=me&label=two%20words'

describe('a saved view of tasks', () => {
  let world: Workspace
  let bob: Account
  let carol: Account
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
    carol = await newMember(world, 'Carol')
  })
  after(() => world.stop())

  const save = (by: Account, name: string, query = QUERY) => world.call('POST', '/views', by, { name, query })

  it('is for all members, and is deleted by whoever saved it or by an owner, each told without its words', async () => {
    const [one, two] = [(await save(bob, 'Mine')).body, (await save(bob, 'Ours')).body]
    expect(one).to.include({ name: 'Mine', query: QUERY, created_by: bob.urn })
    const seenBy = async (by: Account) => {
      const { body } = await world.call('GET', '/views', by)
      return (body.items as { name: string; may: string[] }[]).map(({ name, may }) => [name, ...may])
    }
    expect(await seenBy(bob)).to.deep.equal([
      ['Ours', 'delete'],
      ['Mine', 'delete'],
    ])
    expect(await seenBy(carol)).to.deep.equal([['Ours'], ['Mine']])
    expect((await world.call('GET', '/views', world.stranger)).status).to.equal(404)

    const remove = async (ref: unknown, by: Account) => (await world.call('DELETE', `/views/${ref}`, by)).status
    expect(await remove(one.id, carol)).to.equal(403)
    expect(await remove(one.id, world.stranger)).to.equal(404)
    expect(await remove(one.id, bob)).to.equal(204)
    expect(await remove(one.id, bob)).to.equal(404)
    expect(await remove(two.short_id, world.ada)).to.equal(204)
    expect(await seenBy(carol)).to.deep.equal([])
    const told = await eventsOf(world, 'view.*')
    expect(told.map(({ event_type }) => event_type)).to.deep.equal([
      ...['view.created', 'view.created', 'view.deleted', 'view.deleted'],
    ])
    expect(JSON.stringify(told)).not.to.match(/Mine|Ours|assignee/)
  })

  it('refuses a query that is none, and a name that shows nothing', async () => {
    for (const query of ['"><script>', 'a b', 'javascript:alert(1)', '//evil.example', 'x'.repeat(501)])
      expect((await save(bob, 'Hostile', query)).status, query).to.equal(400)
    expect((await save(bob, '\u200b')).status).to.equal(400)
    expect((await save(bob, 'All', '')).status).to.equal(201)
  })
})
