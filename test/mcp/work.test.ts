import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
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

  it('write a page, and change it as it was read: what others wrote in the same place is not lost', async () => {
    const org = world.slug
    const page = await agent.use('create_page', { org, space: world.page.space_id, title: 'Plan', text: 'One\n' })
    const edit = { org, page: page.id, version: page.version }
    expect((await agent.use('edit_page', { ...edit, text: 'Two\n' })).text).to.equal('Two\n')
    expect((await agent.use('edit_page', { ...edit, text: 'Three\n' })).refusal).to.match(/^412 /)
    expect((await agent.use('get_page', { org, page: page.id })).text).to.equal('Two\n')
  })
})
