import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type Account, newAgent, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import type { Reply } from '../../../kit/api/platform/http/api.ts'
import { eventsOf, join, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

interface Task {
  id: string
  short_id: string
  title: string
  assignee: string | null
  due_on: string | null
  labels: string[]
  priority: string
}

const NO_PLAN = { assignee: null, due_on: null, labels: [], priority: 'none' }

describe('the plan of a task', () => {
  let world: Workspace
  let bob: Account
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
  })
  after(() => world.stop())

  const taskIn = ({ status, body }: Reply, expected = 200) => {
    expect(status, JSON.stringify(body)).to.equal(expected)
    return body as unknown as Task
  }
  const file = async (title: string, plan: object = {}, space = world.page.space_id) =>
    taskIn(await world.call('POST', '/tasks', world.ada, { space, title, ...plan }), 201)
  const edit = (task: Task, body: object, by?: Account) => world.call('PATCH', `/tasks/${task.id}`, by, body)
  const list = async (query: string, by?: Account) => {
    const { status, body } = await world.call('GET', `/tasks?${query}`, by)
    expect(status, JSON.stringify(body)).to.equal(200)
    return { items: body.items as Task[], next: body.next_cursor as string | null }
  }
  const titles = async (query: string) => (await list(query)).items.map(({ title }) => title)
  const newSpace = async (body: object) => String((await world.call('POST', '/spaces', world.ada, body)).body.id)

  it('is made with it and changed, and its event says what changed but none of the words', async () => {
    const plan = { assignee: bob.urn, due_on: '2026-12-01', labels: ['verse', 'birds', 'verse'], priority: 'high' }
    const planned = await file('Planned', plan)
    expect(planned).to.deep.include({ ...plan, labels: ['birds', 'verse'] })
    expect(await file('Bare')).to.deep.include(NO_PLAN)
    const changed = taskIn(await edit(planned, { due_on: null, labels: ['moors'], priority: 'urgent' }, bob))
    expect(changed).to.deep.include({ assignee: bob.urn, due_on: null, labels: ['moors'], priority: 'urgent' })
    expect(taskIn(await edit(planned, { assignee: null })).assignee).to.equal(null)

    const own = (await eventsOf(world, 'task.*')).filter(({ payload }) => payload.entity_id === planned.id)
    expect(own.map(({ payload }) => payload.data)).to.deep.equal([
      { assignee: bob.urn, due_on: '2026-12-01', priority: 'high' },
      ...[
        { assignee: bob.urn, changed: ['due_on', 'labels', 'priority'] },
        { assignee: null, changed: ['assignee'] },
      ].map((data) => ({ ...data, page_id: null, due_on: null, priority: 'urgent' })),
    ])
    expect(JSON.stringify(own)).not.to.match(/moors|verse|birds/)
    const before = (await eventsOf(world, 'task.*')).length
    taskIn(await edit(planned, { labels: ['moors', 'moors'], priority: 'urgent', assignee: null }))
    expect((await eventsOf(world, 'task.*')).length).to.equal(before)
  })

  it('tells whom a task is assigned to, once, and not who does that to themselves', async () => {
    const task = await file('Told')
    for (const by of [world.ada, world.ada]) taskIn(await edit(task, { assignee: bob.urn }, by))
    const own = await file('Own')
    taskIn(await edit(own, { assignee: bob.urn }, bob))
    const { body } = await world.call('GET', '/notifications', bob)
    const told = body.items as { kind: string; entity_id: string }[]
    const assigned = told.filter(({ kind }) => kind === 'task.assigned').map(({ entity_id }) => entity_id)
    expect(assigned.filter((id) => id === task.id || id === own.id)).to.deep.equal([task.id])
  })

  it('names nobody who does not see the task', async () => {
    const hidden = await newSpace({ name: 'Budgets', visibility: 'private' })
    const [open, secret] = [await file('Open'), await file('Secret', {}, hidden)]
    const outsiders: [Task, string][] = [
      [open, world.stranger.urn],
      [open, 'market:agent:01890000-0000-7000-8000-000000000000'],
      [open, `market:agent:${bob.urn.split(':').at(-1)}`],
      [secret, bob.urn],
    ]
    for (const [task, assignee] of outsiders) {
      const refused = await edit(task, { assignee })
      expect(refused.status, assignee).to.equal(400)
      expect(refused.body.field).to.equal('assignee')
    }
    expect(taskIn(await edit(open, { assignee: world.agent.urn })).assignee).to.equal(world.agent.urn)
  })

  it('refuses what is no day, no priority, too many labels, and labels that show nothing', async () => {
    const task = await file('Refused')
    const labels = Array.from({ length: 11 }, (_, index) => `label ${index}`)
    for (const body of [{ due_on: '2026-02-30' }, { priority: 'soon' }, { labels }, { labels: ['\u200b'] }])
      expect((await edit(task, body)).status, JSON.stringify(body)).to.equal(400)
    expect(taskIn(await world.call('GET', `/tasks/${task.id}`))).to.deep.include(NO_PLAN)
  })

  it('is due on a day that the database has: from year 1 to 9999', async () => {
    const body = { space: world.page.space_id, title: 'Due' }
    for (const day of ['0001-01-01', '9999-12-31'])
      expect((await file('Due', { due_on: day })).due_on, day).to.equal(day)
    const task = await file('Due')
    const refused: [string, Reply][] = [
      ['due_on', await world.call('POST', '/tasks', world.ada, { ...body, due_on: '0000-01-01' })],
      ['due_on', await edit(task, { due_on: '0000-12-31' })],
      ['due_by', await world.call('GET', '/tasks?due_by=0000-01-01')],
    ]
    for (const [field, { status, body: told }] of refused)
      expect([status, told.field], JSON.stringify(told)).to.deep.equal([400, field])
  })

  it('changes while the task is offered, when its words cannot', async () => {
    const task = await file('Offered')
    await world.api.db.updateTable('market.tasks').set({ state: 'offered' }).where('id', '=', task.id).execute()
    expect(taskIn(await edit(task, { priority: 'low', after: null })).priority).to.equal('low')
    expectCode(
      await edit(task, { priority: 'high', text: 'New' }),
      409,
      'workspace/task-state-conflict',
      'task_state_conflict',
    )
    expect(taskIn(await world.call('GET', `/tasks/${task.id}`)).priority).to.equal('low')
  })

  it('filters the list, by one thing or several', async () => {
    const space = await newSpace({ name: 'Filters' })
    const plans = {
      one: { assignee: bob.urn, labels: ['ink'], priority: 'high', due_on: '2026-12-01' },
      two: { assignee: bob.urn, labels: ['ink', 'quill'], due_on: '2026-12-03' },
      three: { labels: ['quill'], priority: 'high' },
    }
    const filed = new Map<string, Task>()
    for (const [title, plan] of Object.entries(plans)) filed.set(title, await file(title, plan, space))
    const within = (query: string) => titles(`space=${space}&${query}`)
    expect(await within(`assignee=${bob.urn}`)).to.deep.equal(['two', 'one'])
    expect(await within('label=quill')).to.deep.equal(['three', 'two'])
    expect(await within('priority=high')).to.deep.equal(['three', 'one'])
    expect(await within('due_by=2026-12-01')).to.deep.equal(['one'])
    expect(await within(`label=ink&priority=high&assignee=${bob.urn}`)).to.deep.equal(['one'])
    await world.call('POST', `/tasks/${filed.get('one')?.id}/archive`)
    expect(await within('archived=false')).to.deep.equal(['three', 'two'])
    expect(await within('archived=true')).to.deep.equal(['one'])
  })

  it('is listed in its own org alone, in either order', async () => {
    await file('Alone')
    // The org has a twin, with a task of this title.
    for (const order of ['newest', 'position']) {
      const listed = await titles(`order=${order}&limit=200`)
      expect(listed.filter((title) => title === 'Alone')).to.have.length(1)
    }
  })

  describe('in the order of the org', () => {
    const ordered = async (space: string) => titles(`space=${space}&order=position&limit=200`)
    const fill = async (count: number) => {
      const space = await newSpace({ name: 'Order' })
      const tasks: Task[] = []
      for (let index = 0; index < count; index++) tasks.unshift(await file(`t${index}`, {}, space))
      return { space, tasks }
    }
    const otherOrg = async (titles: readonly string[]) => {
      const send = (method: string, path: string, body?: object) =>
        world.api.send(method, path, { token: world.ada.token, ...(body ? { body } : {}) })
      await send('POST', '/v1/me/orgs', { slug: 'other-order', display_name: 'Other' })
      const { body: space } = await send('POST', '/orgs/other-order/spaces', { name: 'Order' })
      for (const title of titles) taskIn(await send('POST', '/orgs/other-order/tasks', { space: space.id, title }), 201)
      const list = async (query: string) => {
        const { body } = await send('GET', `/orgs/other-order/tasks?order=position&${query}`)
        return { items: body.items as Task[], next: body.next_cursor as string | null }
      }
      return { list }
    }

    it('stands where it is put, new ones first, and a list in parts goes on from there', async () => {
      const { space, tasks } = await fill(4)
      const [first, second, , last] = tasks as [Task, Task, Task, Task]
      expect(await ordered(space)).to.deep.equal(['t3', 't2', 't1', 't0'])
      taskIn(await edit(last, { after: first.short_id }))
      expect(await ordered(space)).to.deep.equal(['t3', 't0', 't2', 't1'])
      taskIn(await edit(second, { after: null }))
      expect(await ordered(space)).to.deep.equal(['t2', 't3', 't0', 't1'])
      taskIn(await edit(first, { after: tasks[2]?.id }))
      expect(await ordered(space)).to.deep.equal(['t2', 't0', 't1', 't3'])
      const part = await list(`space=${space}&order=position&limit=3`)
      const rest = await list(`space=${space}&order=position&limit=3&cursor=${part.next}`)
      expect([...part.items, ...rest.items].map(({ title }) => title)).to.deep.equal(['t2', 't0', 't1', 't3'])
      expect(rest.next).to.equal(null)
    })

    it('says nothing where it stands already, and knows no place after a task that nobody sees', async () => {
      const { space, tasks } = await fill(2)
      const [first, second] = tasks as [Task, Task]
      const before = (await eventsOf(world, 'task.updated')).length
      for (const [task, after] of [
        [second, first.id],
        [first, first.id],
        [first, null],
      ] as const)
        taskIn(await edit(task, { after }))
      expect((await eventsOf(world, 'task.updated')).length).to.equal(before)
      const secret = await file('Secret', {}, await newSpace({ name: 'Hidden', visibility: 'private' }))
      expect((await edit(first, { after: secret.id }, bob)).status).to.equal(404)
      expect(await ordered(space)).to.deep.equal(['t1', 't0'])
    })

    it('survives many moves at once to one place, and keeps the order of all that stay', async () => {
      const { space, tasks } = await fill(13)
      const movers = [world.ada, bob, world.agent]
      const [first, ...others] = tasks as [Task, ...Task[]]
      const moved = others.filter((_, index) => index % 2 === 1)
      const stayed = [first, ...others.filter((_, index) => index % 2 === 0)].map(({ title }) => title)
      const replies = await Promise.all(
        moved.map((task, index) => edit(task, { after: first.id }, movers[index % movers.length])),
      )
      expect(replies.map(({ status }) => status)).to.deep.equal(moved.map(() => 200))
      const now = await ordered(space)
      expect(now.filter((title) => stayed.includes(title))).to.deep.equal(stayed)
      expect(now.slice(1, 1 + moved.length)).to.have.members(moved.map(({ title }) => title))
    })

    it('makes room where there is none left between two', async () => {
      const { space, tasks } = await fill(4)
      const [first, second, third, last] = tasks as [Task, Task, Task, Task]
      // Their order is not the one in which they were made.
      taskIn(await edit(last, { after: null }))
      const other = await otherOrg(['o0', 'o1', 'o2'])
      const part = await other.list('limit=1')
      for (let round = 0; round < 13; round++)
        for (const task of [third, second]) taskIn(await edit(task, { after: first.id }))
      expect(await ordered(space)).to.deep.equal(['t0', 't3', 't2', 't1'])
      const filed = world.api.db.selectFrom('market.tasks').where('space_id', '=', space)
      const positions = await filed.select('position').execute()
      expect(new Set(positions.map(({ position }) => position)).size).to.equal(positions.length)
      // A list of another org goes on from where it was.
      const rest = await other.list(`cursor=${part.next}`)
      expect([...part.items, ...rest.items].map(({ title }) => title)).to.deep.equal(['o2', 'o1', 'o0'])
    })
  })

  it('of somebody who leaves the org has no assignee any more, and what they did keeps them', async () => {
    const carol = await newHuman(world.api, 'Carol')
    const org = await join(world, carol)
    const [theirs, agents, done] = [await file('Theirs'), await file('Agents'), await file('Done')]
    const scout = await newAgent(world.api, carol, 'Scout')
    for (const task of [theirs, done]) taskIn(await edit(task, { assignee: carol.urn }))
    taskIn(await edit(agents, { assignee: scout.urn }))
    for (const [step, by] of [
      ['claim', carol],
      ['submit', carol],
      ['approve', world.ada],
    ] as const) {
      taskIn(await world.call('POST', `/tasks/${done.id}/${step}`, by, step === 'submit' ? { result: 'Done.' } : {}))
    }
    const others = await file('Others', { assignee: bob.urn })
    const removed = await world.api.send('DELETE', `/v1/me/orgs/${org}/members/${carol.urn}`, {
      token: world.ada.token,
    })
    expect(removed.status).to.equal(204)
    const assigneeOf = async ({ id }: Task) => taskIn(await world.call('GET', `/tasks/${id}`)).assignee
    for (const task of [theirs, agents]) expect(await assigneeOf(task)).to.equal(null)
    expect(await assigneeOf(done)).to.equal(carol.urn)
    expect(await assigneeOf(others)).to.equal(bob.urn)
    const last = (await eventsOf(world, 'task.updated')).findLast(({ payload }) => payload.entity_id === agents.id)
    expect(last?.payload.data).to.deep.include({ assignee: null, changed: ['assignee'] })
  })
})
