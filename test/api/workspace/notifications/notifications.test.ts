import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Account, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { invite, newMember } from '../../../kit/api/workspace/joining.ts'
import { startWorkspace, type TestPage, type Workspace } from '../../../kit/api/workspace/world.ts'

interface Seen {
  id: string
  kind: string
  entity_id: string
  read_at: string | null
}

describe('notifications', () => {
  let world: Workspace
  /** A member who attaches files to Ada's pages. */
  let ben: Account
  let pageOfAda: TestPage

  before(async () => {
    world = await startWorkspace()
    ben = await newMember(world, 'Ben')
    pageOfAda = world.page
  })
  after(() => world.stop())

  const attachAs = async (by: Account, page: TestPage = pageOfAda): Promise<string> => {
    const reply = await world.upload({ page: page.id, insert: 'none' }, undefined, by)
    expect(reply.status).to.equal(201)
    return String(reply.body.id)
  }
  const list = async (by: Account, query = '') => {
    const { status, body } = await world.call('GET', `/notifications${query}`, by)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body as unknown as { items: Seen[]; next_cursor: string | null }
  }
  const markRead = (by: Account, body: object) => world.call('POST', '/notifications/read', by, body)

  it('tell the author of a page who attached what, and not who did it themselves', async () => {
    const attachment = await attachAs(ben)
    const [told] = (await list(world.ada)).items
    expect(told).to.include({
      ...{ kind: 'attachment.created', role: 'author', entity_type: 'attachment', entity_id: attachment },
      ...{ actor: `market:human:${ben.id}`, read_at: null, title: 'A file was attached to a page of yours' },
    })
    expect(told).to.have.property('entity_title', 'verse.txt')
    expect(told)
      .to.have.property('url')
      .that.matches(new RegExp(`/console/orgs/${world.slug}/attachments/[0-9a-z]{10}$`))
    await attachAs(world.ada)
    expect((await list(world.ada)).items).to.have.length(1)
    expect((await list(ben)).items).to.deep.equal([])
  })

  it("are an account's own: an agent is told of its own pages, and its owner of theirs", async () => {
    const { body } = await world.call('GET', `/pages/${pageOfAda.id}`)
    const page = await world.call('POST', '/pages', world.agent, { space: body.space_id, title: 'Plan', text: '' })
    const attachment = await attachAs(world.ada, page.body as unknown as TestPage)
    expect((await list(world.agent)).items.map(({ entity_id }) => entity_id)).to.deep.equal([attachment])
    expect((await list(world.ada)).items.map(({ entity_id }) => entity_id)).not.to.include(attachment)
  })

  it('come newest first, a page at a time [spec w4:17]', async () => {
    const made: string[] = []
    for (let count = 0; count < 3; count++) made.unshift(await attachAs(ben))
    const first = await list(world.ada, '?limit=2')
    expect(first.items.map(({ entity_id }) => entity_id)).to.deep.equal(made.slice(0, 2))
    const rest = await list(world.ada, `?limit=2&cursor=${first.next_cursor}`)
    expect(rest.items.map(({ entity_id }) => entity_id)[0]).to.equal(made[2])
    const other = await world.call('GET', `/notifications?limit=2&cursor=${first.next_cursor}`, ben)
    expect(other.status).to.equal(400)
  })

  it('are read where somebody says so: some of them, or all [spec w2:10 w3:6 w4:18]', async () => {
    await attachAs(ben)
    await attachAs(ben)
    const unread = (await list(world.ada, '?unread=true')).items
    const [one] = unread
    const marked = await markRead(world.ada, { ids: [one?.id] })
    expect([marked.status, marked.body]).to.deep.equal([200, { marked: 1 }])
    expect((await markRead(world.ada, { ids: [one?.id] })).body).to.deep.equal({ marked: 0 })
    const left = (await list(world.ada, '?unread=true')).items
    expect(left.map(({ id }) => id)).to.deep.equal(unread.slice(1).map(({ id }) => id))
    expect((await list(world.ada)).items.find(({ id }) => id === one?.id)?.read_at).to.be.a('string')
    expect((await markRead(ben, { ids: left.map(({ id }) => id) })).body).to.deep.equal({ marked: 0 })
    expect((await markRead(world.ada, { all: true })).body).to.deep.equal({ marked: left.length })
    expect((await list(world.ada, '?unread=true')).items).to.deep.equal([])
  })

  it('need to know which are read', async () => {
    for (const body of [{}, { all: false }]) {
      const reply = await markRead(world.ada, body)
      expect([reply.status, reply.body.field]).to.deep.equal([400, 'ids'])
    }
  })

  it('are counted over all orgs at once, each org by itself', async () => {
    const count = async (by: Account) => {
      const reply = await world.api.send('GET', '/me/notifications/unread', { token: by.token })
      expect(reply.status).to.equal(200)
      return reply.body as unknown
    }
    await markRead(world.ada, { all: true })
    expect(await count(world.ada)).to.deep.equal({ unread: 0, trades: 0, orgs: [] })
    for (const _twice of [1, 2]) await attachAs(ben)
    await sql`insert into market.notifications (id, account_id, human_id, kind, role, entity_type, entity_id, cause)
      select gen_random_uuid(), id, id, 'rating.posted', 'seller', 'order', gen_random_uuid(), gen_random_uuid()
      from market.humans where id = ${world.ada.id}`.execute(world.api.db)
    expect(await count(world.ada)).to.deep.equal({ unread: 3, trades: 1, orgs: [{ org: world.slug, unread: 2 }] })
    expect(await count(ben)).to.deep.equal({ unread: 0, trades: 0, orgs: [] })
    // One that is yet to appear is not counted, and a question is until it is answered.
    await sql`update market.notifications set due_at = market.now() + interval '1 hour'
      where id = (select id from market.notifications
        where account_id = ${world.ada.id} and kind = 'attachment.created' and read_at is null and is_in_app limit 1)`.execute(
      world.api.db,
    )
    const { body: asked } = await world.call('POST', '/confirmations', world.agent, { question: 'May I?' })
    expect(await count(world.ada)).to.deep.include({ orgs: [{ org: world.slug, unread: 2 }] })
    await world.call('POST', `/confirmations/${asked.id}/answer`, world.ada, { answer: 'confirmed' })
    expect(await count(world.ada)).to.deep.include({ orgs: [{ org: world.slug, unread: 1 }] })
    await markRead(world.ada, { all: true })
    expect(await count(world.ada)).to.deep.equal({ unread: 1, trades: 1, orgs: [] })
  })

  it('of a private space are for who sees it', async () => {
    const private_ = { name: 'Board', visibility: 'private' }
    const space = await world.call('POST', '/spaces', world.ada, private_)
    const page = await world.call('POST', '/pages', world.ada, { space: space.body.id, title: 'P', text: '' })
    expect(page.status, JSON.stringify(page.body)).to.equal(201)
    const made = page.body as unknown as TestPage
    await sql`update market.pages set created_by = ${`market:human:${ben.id}`} where id = ${made.id}`.execute(
      world.api.db,
    )
    const before = (await list(ben)).items.length
    await attachAs(world.ada, made)
    expect((await list(ben)).items).to.have.length(before)
    await sql`insert into market.space_members (org_id, space_id, human_id)
      select org_id, id, ${ben.id} from market.spaces where id = ${made.space_id}`.execute(world.api.db)
    await attachAs(world.ada, made)
    expect((await list(ben)).items).to.have.length(before + 1)
    const unread = async () => {
      const { body } = await world.api.send('GET', '/me/notifications/unread', { token: ben.token })
      return body.unread as number
    }
    const seen = await unread()
    // What was told is not shown to who was put out of the space since, and is not sent to them either.
    await sql`delete from market.space_members where human_id = ${ben.id}`.execute(world.api.db)
    expect((await list(ben)).items).to.have.length(before)
    expect(await unread()).to.equal(seen - 1)
    expect((await markRead(ben, { all: true })).body).to.deep.equal({ marked: 0 })
  })

  it('tell nobody who is not in the org', async () => {
    const page = await world.call('POST', '/pages', ben, { space: pageOfAda.space_id, title: 'Ben', text: '' })
    await sql`delete from market.org_members where human_id = ${ben.id}`.execute(world.api.db)
    await sql`delete from market.notifications where account_id = ${ben.id}`.execute(world.api.db)
    await attachAs(world.ada, page.body as unknown as TestPage)
    const { rows } = await sql`select from market.notifications where account_id = ${ben.id}`.execute(world.api.db)
    expect(rows).to.have.length(0)
    expect((await world.call('GET', '/notifications', ben)).status).to.equal(404)
  })

  it('tell a person once that an org invites them, until they answer, or it does not invite them any more', async () => {
    const { api } = world
    const unread = async (by: Account) => {
      const { body } = await api.send('GET', '/me/notifications?unread=true', { token: by.token })
      return body.items as Seen[]
    }
    const [zoe, yan] = [await newHuman(api, 'Zoe'), await newHuman(api, 'Yan')]
    const org = await invite(world, zoe)
    const [told, ...others] = await unread(zoe)
    expect(others).to.deep.equal([])
    expect(told).to.include({ kind: 'invitation.received', role: 'invited', title: 'You were invited to an org' })
    expect(told)
      .to.have.property('url')
      .that.match(/\/console\/orgs$/)
    const withdraw = () => api.send('DELETE', `/v1/me/orgs/${org}/invitations/${zoe.urn}`, { token: world.ada.token })
    expect((await withdraw()).status).to.equal(204)
    expect(await unread(zoe)).to.deep.equal([])
    // Nobody can make it ring again and again.
    for (const _ of [1, 2]) {
      await invite(world, zoe)
      await withdraw()
    }
    const { body } = await api.send('GET', '/me/notifications', { token: zoe.token })
    expect(body.items).to.have.length(1)
    await invite(world, yan)
    expect(await unread(yan)).to.have.length(1)
    await api.send('POST', `/v1/me/orgs/${org}/join`, { token: yan.token })
    expect((await unread(yan)).filter(({ kind }) => kind === 'invitation.received')).to.deep.equal([])
  })
})
