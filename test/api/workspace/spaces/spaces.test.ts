import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Account, newAgent } from '../../../kit/api/identity/accounts/owners.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

describe('a space', () => {
  let world: Workspace
  let bob: Account
  let carol: Account
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
    carol = await newMember(world, 'Carol')
  })
  after(() => world.stop())

  const open = async (visibility: string, by = bob) => {
    const { status, body } = await world.call('POST', '/spaces', by, { name: 'Plans', visibility })
    expect(status, JSON.stringify(body)).to.equal(201)
    return String(body.short_id)
  }
  const write = async (space: string, by = bob) =>
    String((await world.call('POST', '/pages', by, { space, title: 'Secret plan', text: 'x' })).body.short_id)

  const expectSeen = async (paths: readonly string[], by: Account) => {
    for (const path of paths) expect((await world.call('GET', path, by)).status, path).to.equal(200)
  }

  it('that is private is seen by its members, their agents and the org’s owners, and by nobody else', async () => {
    const hook = { url: 'https://example.com/', events: ['attachment.*'] }
    expect((await world.call('POST', '/webhooks', world.ada, hook)).status).to.equal(201)
    const space = await open('private')
    const page = await write(space)
    const file = await world.upload({ page }, new File(['albatross'], 'a.txt'), bob)
    const paths = [
      `/spaces/${space}`,
      `/spaces/${space}/members`,
      `/pages/${page}`,
      `/pages/${page}/entries`,
      `/pages?space=${space}`,
      `/attachments/${file.body.short_id}`,
      `/attachments/${file.body.short_id}/text`,
      `/attachments/${file.body.short_id}/versions`,
    ]
    for (const by of [bob, world.ada, await newAgent(world.api, bob)]) await expectSeen(paths, by)
    for (const path of paths) {
      expectCode(await world.call('GET', path, carol), 404, 'resource/not-found', 'not_found')
    }
    for (const list of ['/spaces', '/pages', '/attachments']) {
      const listed = JSON.stringify((await world.call('GET', list, carol)).body)
      for (const ref of [space, page, file.body.short_id]) expect(listed).not.to.include(ref)
    }
    for (const [method, path, body] of [
      ['PATCH', `/pages/${page}`, { text: 'y' }],
      ['POST', `/pages/${page}/entries`, { text: 'y' }],
      ['DELETE', `/attachments/${file.body.short_id}`],
      ['PATCH', `/spaces/${space}`, { visibility: 'open' }],
    ] as const)
      expect((await world.call(method, path, carol, body)).status, path).to.equal(404)
    expect(JSON.stringify(await eventsOf(world, 'page.*,attachment.*', carol))).not.to.include(file.body.id)
    expect(JSON.stringify(await eventsOf(world, 'page.*,attachment.*', bob))).to.include(file.body.id)
    const queued = await world.api.db.selectFrom('market.webhook_deliveries').select('body').execute()
    expect(JSON.stringify(queued)).to.include(file.body.id)

    expect((await world.call('PUT', `/spaces/${space}/members/${carol.urn}`, bob)).status).to.equal(204)
    await expectSeen(paths, carol)
    expect((await world.call('DELETE', `/spaces/${space}/members/${carol.urn}`, carol)).status).to.equal(204)
    expect((await world.call('GET', `/pages/${page}`, carol)).status).to.equal(404)
    expect((await world.call('PUT', `/spaces/${space}/members/${world.stranger.urn}`, bob)).status).to.equal(404)
  })

  it('that is private gives its files to nobody who left it, whatever link they hold', async () => {
    const space = await open('private')
    const page = await write(space)
    await world.call('PUT', `/spaces/${space}/members/${carol.urn}`, bob)
    const { body } = await world.upload({ page }, new File(['albatross'], 'b.txt'), bob)
    const link = await world.call('GET', `/attachments/${body.short_id}/download`, carol)
    const url = String(link.headers.get('location')).replace(world.api.settings.baseUrl, world.api.baseUrl)
    expect((await fetch(url)).status).to.equal(200)
    await world.call('DELETE', `/spaces/${space}/members/${carol.urn}`, bob)
    expect((await fetch(url)).status).to.equal(404)
  })

  it('that is archived is read, and changed no more until it is taken out again', async () => {
    const space = await open('open')
    const page = await write(space)
    const { body: file } = await world.upload({ page }, new File(['x'], 'c.txt'), bob)
    const { body } = await world.call('PATCH', `/spaces/${space}`, bob, { archived: true, name: 'Old plans' })
    expect(body.archived_at).to.be.a('string')
    expect((await world.call('GET', `/pages/${page}`, bob)).status).to.equal(200)
    for (const [method, path, sent] of [
      ['POST', '/pages', { space, title: 'New' }],
      ['PATCH', `/pages/${page}`, { text: 'New' }],
      ['POST', `/pages/${page}/entries`, { text: 'New' }],
      ['PATCH', `/attachments/${file.short_id}`, { filename: 'd.txt' }],
      ['DELETE', `/attachments/${file.short_id}`],
      ['POST', `/attachments/${file.short_id}/versions/1/restore`],
    ] as const) {
      expectCode(await world.call(method, path, bob, sent), 409, 'workspace/space-archived', 'space_archived')
    }
    const back = await world.call('PATCH', `/spaces/${space}`, bob, { archived: false })
    expect(back.body).to.include({ archived_at: null, name: 'Old plans' })
    expect((await world.call('PATCH', `/pages/${page}`, bob, { text: 'New' })).status).to.equal(200)
  })

  it('is deleted while it is empty, and each change is told [spec w6.1:8]', async () => {
    const space = await open('open')
    const { body } = await world.call('GET', `/spaces/${space}`)
    await write(await open('open'))
    expect((await world.call('DELETE', `/spaces/${space}`, bob)).status).to.equal(204)
    expect((await world.call('GET', `/spaces/${space}`)).status).to.equal(404)
    expectCode(
      await world.call('DELETE', `/spaces/${world.page.space_id}`),
      409,
      'workspace/space-not-empty',
      'space_not_empty',
    )
    const about = (await eventsOf(world, 'space.*')).filter(({ payload }) => payload.entity_id === body.id)
    expect(about.map(({ event_type }) => event_type)).to.deep.equal(['space.created', 'space.deleted'])
  })

  it('that holds a thing of any kind is not deleted, and goes with its org', async () => {
    const things = { pages: { title: 'a' }, tasks: { title: 'b' }, secrets: { name: 'KEY', value: 'x' } }
    const kinds = { ...things, decisions: { title: 'c', text: 'c' } }
    for (const [kind, thing] of Object.entries(kinds)) {
      const space = await open('open', world.ada)
      const made = await world.call('POST', `/${kind}`, world.ada, { space, ...thing })
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      if (kind === 'pages') await world.call('DELETE', `/pages/${made.body.short_id}`)
      const refused = await world.call('DELETE', `/spaces/${space}`)
      expectCode(refused, 409, 'workspace/space-not-empty', 'space_not_empty')
    }
    const { db } = world.api
    const others = sql`delete from market.org_members where role <> 'owner'`
    await others.execute(db)
    const { org_id } = await db.selectFrom('market.spaces').select('org_id').limit(1).executeTakeFirstOrThrow()
    const path = `/v1/me/orgs/${urnString('org', org_id)}`
    expect((await world.api.send('DELETE', path, { token: world.ada.token })).status).to.equal(204)
    for (const table of ['pages', 'tasks', 'secrets', 'decisions', 'spaces'] as const)
      expect(
        await db.selectFrom(`market.${table}`).select('id').where('org_id', '=', org_id).execute(),
        table,
      ).to.deep.equal([])
  })
})
