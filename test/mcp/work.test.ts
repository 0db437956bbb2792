import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { createPage, editPage } from '../../api/workspace/pages/routes.ts'
import { createTask, listTasks, updateTask } from '../../api/workspace/tasks/routes.ts'
import { startWorkspace, type Workspace } from '../kit/api/workspace/world.ts'
import { connectHttp, type ToolUser } from '../kit/mcp/agent.ts'

describe('the tools of an agent of an org', () => {
  let world: Workspace
  let agent: ToolUser
  before(async () => {
    world = await startWorkspace()
    agent = await connectHttp(world.api.baseUrl, world.agent.token)
  })
  after(async () => {
    await agent?.close()
    await world.stop()
  })

  it('do a task: found, claimed, handed in', async () => {
    const filed = await world.call('POST', '/tasks', world.ada, { space: world.page.space_id, title: 'Write verse' })
    const org = world.slug
    const { items } = (await agent.use('list_tasks', { org, state: 'open' })) as unknown as { items: { id: string }[] }
    expect(items.map(({ id }) => id)).to.deep.equal([filed.body.id])
    const task = { org, task: filed.body.id }
    const claimed = await agent.use('claim_task', task)
    expect(claimed.state).to.equal('claimed')
    expect(claimed.untrusted_text).to.include('text')
    expect((await agent.use('submit_task', { ...task, result: 'Forty-two lines.' })).state).to.equal('submitted')
    expect((await agent.use('release_task', task)).refusal).to.match(/^409 /)
  })

  it('file tasks, and decide on what others did', async () => {
    const org = world.slug
    const filed = await agent.use('create_task', { org, space: world.page.space_id, title: 'Proofread', text: 'All.' })
    expect(filed).to.include({ state: 'open', title: 'Proofread' })
    const task = { org, task: filed.id }
    const doneByAda = async () => {
      for (const step of ['claim', 'submit']) await world.call('POST', `/tasks/${filed.id}/${step}`, world.ada, {})
    }
    await doneByAda()
    expect(await agent.use('reject_task', { ...task, reason: 'A comma.' })).to.include({ state: 'rejected' })
    await world.call('POST', `/tasks/${filed.id}/submit`, world.ada, {})
    expect((await agent.use('approve_task', task)).state).to.equal('approved')
    expect((await agent.use('approve_task', task)).refusal).to.match(/^409 /)
  })

  it('plan a task as it is planned over REST, and change the plan', async () => {
    const org = world.slug
    const plan = { due_on: '2030-02-28', labels: ['urgent care', 'verse'], priority: 'high' }
    const filed = await agent.use('create_task', {
      ...{ org, space: world.page.space_id, page: world.page.id, title: 'Plan it', ...plan },
      assignee: world.ada.urn,
    })
    expect(filed, String(filed.refusal)).to.deep.include({ ...plan, assignee: world.ada.urn, page_id: world.page.id })
    const task = { org, task: filed.id }
    const changed = await agent.use('update_task', { ...task, due_on: null, priority: 'low', assignee: null })
    expect(changed, String(changed.refusal)).to.deep.include({
      ...{ title: 'Plan it', due_on: null, priority: 'low', assignee: null, labels: plan.labels },
    })
    expect((await agent.use('update_task', { ...task, title: 'Planned', labels: [] })).labels).to.deep.equal([])
    expect((await agent.use('update_task', { ...task, due_on: '2030-02-30' })).refusal).to.match(/day of the calendar/)
    const listed = async (filter: object) =>
      ((await agent.use('list_tasks', { org, ...filter })) as unknown as { items: { id: string }[] }).items.map(
        ({ id }) => id,
      )
    expect(await listed({ priority: 'low', archived: 'false' })).to.deep.equal([filed.id])
    expect(await listed({ assignee: world.ada.urn })).to.deep.equal([])
  })

  it('take every member of a request that REST takes', async () => {
    const { tools } = await agent.schemas()
    const same = {
      create_task: createTask.body,
      update_task: updateTask.body,
      // A page has as many tasks as an agent should read at once.
      list_tasks: listTasks.query.omit({ limit: true }),
      create_page: createPage.body,
      edit_page: editPage.body,
    }
    for (const [name, { shape }] of Object.entries(same)) {
      const taken = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {}
      expect(Object.keys(taken), name).to.include.members(Object.keys(shape))
    }
  })

  it('comment on a page and a task, and read what others said', async () => {
    const org = world.slug
    const page = await agent.use('create_page', { org, space: world.page.space_id, title: 'Verse', text: 'One\n' })
    const first = await agent.use('comment', { org, page: page.id, text: 'Two is missing.' })
    expect(first).to.include({ text: 'Two is missing.', page_id: page.id })
    await agent.use('comment', { org, thread: first.id, text: 'And three.' })
    const { items, untrusted_text } = await agent.use('list_comments', { org, page: page.id })
    expect((items as { text: string }[]).map(({ text }) => text)).to.include('Two is missing.')
    expect(untrusted_text).to.include('text')
    expect((await agent.use('comment', { org, text: 'Of nothing.' })).refusal).to.match(/^4\d\d /)
  })

  it('attach a text to a page, once for one key, and add it to a task', async () => {
    const org = world.slug
    const page = await agent.use('create_page', { org, space: world.page.space_id, title: 'Files', text: 'One\n' })
    const file = { org, page: page.id, filename: 'verse.md', text: 'Forty-two lines.', idempotency_key: 'file-1' }
    const attached = await agent.use('attach_file', file)
    expect(attached).to.include({ filename: 'verse.md', size_bytes: 16 })
    expect((await agent.use('attach_file', file)).id).to.equal(attached.id)
    const { id } = await agent.use('create_task', { org, space: world.page.space_id, title: 'Sing it' })
    const { files } = await agent.use('add_task_file', { org, task: id, attachment: attached.id })
    expect(files).to.have.length(1)
  })

  it('take a task off the market that they offered', async () => {
    const org = world.slug
    const { id } = await agent.use('create_task', { org, space: world.page.space_id, title: 'Sell it' })
    const task = { org, task: id }
    const offered = await agent.use('offer_task', { ...task, max_price: '40.000000' })
    expect(offered.bid_urn, String(offered.refusal)).to.match(/^market:bid:/)
    expect((await agent.use('withdraw_task_offer', task)).state).to.equal('open')
  })

  it('write a page, and change it as it was read: what others wrote in the same place is not lost', async () => {
    const org = world.slug
    const page = await agent.use('create_page', { org, space: world.page.space_id, title: 'Plan', text: 'One\n' })
    const edit = { org, page: page.id, version: page.version }
    expect((await agent.use('edit_page', { ...edit, text: 'Two\n' })).text).to.equal('Two\n')
    expect((await agent.use('edit_page', { ...edit, text: 'Three\n' })).refusal).to.match(/^412 /)
    expect((await agent.use('get_page', { org, page: page.id })).text).to.equal('Two\n')
  })
})
