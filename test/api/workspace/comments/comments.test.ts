import { createECDH, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import type { Reply } from '../../../kit/api/platform/http/api.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

interface Comment {
  id: string
  short_id: string
  thread_id: string | null
  text: string
  anchor: { quote: string; start: number | null; end: number | null } | null
  resolved_by: string | null
  deleted_at: string | null
}

interface Notice {
  title: string
  entity_id: string
  entity_deleted: boolean
}

describe('a comment', () => {
  let world: Workspace
  let bob: Account
  let carol: Account
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
    carol = await newMember(world, 'Carol')
  })
  after(() => world.stop())

  const commentIn = ({ status, body }: Reply, expected = 200) => {
    expect(status, JSON.stringify(body)).to.equal(expected)
    return body as unknown as Comment
  }
  const say = async (body: object, by = bob) => commentIn(await world.call('POST', '/comments', by, body), 201)
  const read = async ({ id }: Comment, by = world.ada) => commentIn(await world.call('GET', `/comments/${id}`, by))
  const listed = async (query: string) =>
    ((await world.call('GET', `/comments?${query}`)).body.items as Comment[]).map(({ text }) => text)
  const kindsOf = async (by: Account) =>
    ((await world.call('GET', '/notifications', by)).body.items as { kind: string }[]).map(({ kind }) => kind)

  it('is on a page or a task, begins a thread or answers in one', async () => {
    const page = await world.newPage('one')
    const first = await say({ page: page.short_id, text: 'Why?' })
    const answer = await say({ page: page.id, thread: first.short_id, text: 'Because.' }, carol)
    const second = await say({ page: page.id, thread: answer.id, text: 'I see.' })
    expect([answer.thread_id, second.thread_id]).to.deep.equal([first.id, first.id])
    expect(await listed(`page=${page.id}`)).to.deep.equal(['I see.', 'Because.', 'Why?'])
    expect(await listed(`thread=${first.id}`)).to.deep.equal(['I see.', 'Because.'])
    const task = (await world.call('POST', '/tasks', world.ada, { space: page.space_id, title: 'Verse' })).body
    await say({ task: task.short_id, text: 'When?' })
    expect(await listed(`task=${task.id}`)).to.deep.equal(['When?'])
    const elsewhere = await world.call('POST', '/comments', bob, { task: task.id, thread: first.id, text: 'x' })
    expect(elsewhere.status).to.equal(404)
    for (const subject of [{}, { page: page.id, task: task.id }, { task: task.id, anchor: { quote: 'x' } }])
      expect((await world.call('POST', '/comments', bob, { ...subject, text: 'x' })).status).to.equal(400)
    expect((await kindsOf(bob)).filter((kind) => kind === 'comment.created')).to.have.length(1)
  })

  it('follows the words that it is about through edits, until they are gone', async () => {
    const page = await world.newPage('The sea.\nThe sea, again.\nThe end.')
    const edit = (text: string) => world.call('PATCH', `/pages/${page.id}`, world.ada, { text })
    const at = async () => (await read(about)).anchor?.start
    const about = await say({ page: page.id, text: 'Which one?', anchor: { quote: 'The sea', start: 10 } })
    expect(about.anchor).to.deep.equal({ quote: 'The sea', start: 9, end: 16 })
    await edit('Verse.\nThe sea.\nThe sea, again.\nThe end.')
    expect(await at()).to.equal(16)
    await edit('The sea, again.\nThe sea.\nThe end.')
    expect(await at()).to.equal(0)
    await edit('The end.')
    expect((await read(about)).anchor).to.deep.equal({ quote: 'The sea', start: null, end: null })
    const wrong = { page: page.id, text: 'x', anchor: { quote: 'The sea' } }
    expectCode(await world.call('POST', '/comments', bob, wrong), 422, 'workspace/anchor-not-found', 'anchor_not_found')
  })

  it('is about the words that a browser gives, whatever ends lines and composes characters on the page', async () => {
    const text = 'Ein Cafe\u0301\r\nam Meer.\r\n\u1112\u1161\u11ab'
    const page = await world.newPage(text)
    const about = await say({ page: page.id, text: 'Where?', anchor: { quote: 'Caf\u00e9\nam' } })
    const words = (now: string, { anchor }: { anchor: { start: number | null; end: number | null } | null }) =>
      now.slice(anchor?.start ?? 0, anchor?.end ?? 0)
    expect(words(text, about)).to.equal('Cafe\u0301\r\nam')
    const korean = await say({ page: page.id, text: 'Who?', anchor: { quote: '\ud55c' } })
    expect(words(text, korean)).to.equal('\u1112\u1161\u11ab')
    // An editor in a browser saves it so.
    const saved = `Hier: ${text.replaceAll('\r\n', '\n').normalize('NFC')}`
    expect((await world.call('PATCH', `/pages/${page.id}`, world.ada, { text: saved })).status).to.equal(200)
    expect(words(saved, await read(about))).to.equal('Caf\u00e9\nam')
  })

  it('tells nobody who is mentioned in code', async () => {
    const before = (await kindsOf(carol)).filter((kind) => kind === 'comment.mentioned').length
    const text = `\`@${carol.urn}\`\n\n- ~~~\n  @${carol.urn}\n  ~~~\n\n\`\`\`\n@${carol.urn}\n\`\`\``
    await say({ page: world.page.id, text })
    expect((await kindsOf(carol)).filter((kind) => kind === 'comment.mentioned')).to.have.length(before)
  })

  it('follows words that were edited themselves while half of them is left, and no others that are alike', async () => {
    const sea = '🌊'.repeat(30)
    const page = await world.newPage(`${sea}a quick heron${sea} and a quick heron stands.`)
    const about = await say({ page: page.id, text: 'Which?', anchor: { quote: 'quick heron' } })
    const now = async (text: string) => {
      expect((await world.call('PATCH', `/pages/${page.id}`, world.ada, { text })).status).to.equal(200)
      const { start, end } = (await read(about)).anchor ?? {}
      return start == null || end == null ? null : text.slice(start, end)
    }
    expect(await now(`Verse.\n${sea}a quick heron${sea} and a quick heron stands.`)).to.equal('quick heron')
    expect(await now(`${sea}a quick grey 🐦 heron${sea} and a quick heron stands.`)).to.equal('quick grey 🐦 heron')
    expect(await now(`${sea}a quick her🌊🌊 and a quick heron stands.`)).to.equal('quick her')
    expect(await now('A heron.')).to.equal(null)
    expect(await now(`${sea}a stork${sea} and a quick heron stands.`)).to.equal(null)
    expect(await now(`${sea}a quick heron${sea} and`)).to.equal('quick heron')
  })

  it('shows something, when it is made and when it is changed', async () => {
    const page = await world.newPage('one')
    const comment = await say({ page: page.id, text: 'Why?' })
    for (const text of [' ', '\u200b', '\u3164\n', '\u2800']) {
      const made = await world.call('POST', '/comments', bob, { page: page.id, text })
      const edited = await world.call('PATCH', `/comments/${comment.id}`, bob, { text })
      expect([made.status, edited.status, edited.body.field]).to.deep.equal([400, 400, 'text'])
    }
    expect(await listed(`page=${page.id}`)).to.deep.equal(['Why?'])
  })

  it('is changed by its author, resolved and opened again by any member, and deleted [spec w6.1:6]', async () => {
    const page = await world.newPage('one')
    const first = await say({ page: page.id, text: 'Why?' })
    const answer = await say({ page: page.id, thread: first.id, text: 'Because.' }, carol)
    const path = `/comments/${first.short_id}`
    expect((await world.call('PATCH', path, carol, { text: 'x' })).status).to.equal(403)
    expect(commentIn(await world.call('PATCH', path, bob, { text: 'Why not?' })).text).to.equal('Why not?')
    expect(commentIn(await world.call('POST', `${path}/resolve`, carol)).resolved_by).to.equal(carol.urn)
    expectCode(await world.call('POST', `${path}/resolve`, bob), 409, 'workspace/comment-conflict', 'comment_conflict')
    expect(await listed(`page=${page.id}&resolved=true`)).to.deep.equal(['Why not?'])
    expect(await listed(`page=${page.id}&resolved=false`)).to.deep.equal([])
    expect(commentIn(await world.call('POST', `${path}/reopen`, bob)).resolved_by).to.equal(null)
    expect((await world.call('POST', `/comments/${answer.id}/resolve`, bob)).status).to.equal(409)
    expect((await world.call('DELETE', path, carol)).status).to.equal(403)
    expect(commentIn(await world.call('DELETE', path, world.ada))).to.deep.include({ text: '', anchor: null })
    expect((await world.call('PATCH', path, bob, { text: 'x' })).status).to.equal(409)
    expect(await listed(`thread=${first.id}`)).to.deep.equal(['Because.'])
    const own = (await eventsOf(world, 'comment.*')).filter(({ payload }) => payload.entity_id === first.id)
    expect(own.map(({ event_type }) => event_type)).to.deep.equal(
      ['created', 'updated', 'resolved', 'reopened', 'deleted'].map((type) => `comment.${type}`),
    )
  })

  it('is told like a mention in a page: each new one, to who sees the page', async () => {
    const told = async (by: Account) => (await kindsOf(by)).filter((kind) => kind === 'page.mentioned').length
    const { body: space } = await world.call('POST', '/spaces', bob, { name: 'Mine', visibility: 'private' })
    const at = `@${carol.urn}`
    await world.call('POST', '/pages', bob, {
      space: space.id,
      title: 'Mine',
      text: `${at} and @${world.stranger.urn}`,
    })
    expect(await told(carol), 'of a page that she does not see').to.equal(0)
    const { body: page } = await world.call('POST', '/pages', bob, {
      space: world.page.space_id,
      title: 'Plan',
      text: at,
    })
    expect(await told(carol)).to.equal(1)
    const edit = (text: string) => world.call('PATCH', `/pages/${page.id}`, bob, { text })
    for (const text of [`Dear ${at}`, `Dear ${at}, \`${at}\``, `${at}: @${bob.urn}`]) await edit(text)
    expect(await told(carol), 'of the same mention').to.equal(1)
    expect(await told(bob), 'of his own').to.equal(0)
    await edit(`${at}, and again ${at}, with @${world.agent.urn}`)
    expect(await told(carol)).to.equal(2)
    expect(await told(world.agent)).to.equal(1)
    await world.call('POST', `/pages/${page.id}/entries`, bob, { text: at })
    expect(await told(carol)).to.equal(3)
    const { body } = await world.call('GET', '/notifications', carol)
    const [newest] = body.items as { url: string; entity_title: string }[]
    expect(newest).to.include({ entity_title: 'Plan' })
    expect(newest?.url).to.match(new RegExp(`/pages/${page.short_id}$`))
  })

  it('tells who is mentioned, and nobody who does not see its space', async () => {
    const { body: space } = await world.call('POST', '/spaces', bob, { name: 'Ours', visibility: 'private' })
    const { body: page } = await world.call('POST', '/pages', bob, { space: space.id, title: 'Ours' })
    const secret = await say({ page: page.id, text: `@${carol.urn} and @${world.stranger.urn}` })
    expect(await kindsOf(carol)).not.to.include('comment.mentioned')
    expect((await world.call('GET', `/comments/${secret.id}`, carol)).status).to.equal(404)
    expect(JSON.stringify((await world.call('GET', '/comments', carol)).body)).not.to.include(secret.id)
    const open = await say({ page: world.page.id, text: 'Who?' })
    await world.call('PATCH', `/comments/${open.id}`, bob, {
      text: `@${carol.urn}, @${world.agent.urn} and @${bob.urn}`,
    })
    await world.call('PATCH', `/comments/${open.id}`, bob, { text: `Dear @${carol.urn}` })
    expect((await kindsOf(carol)).filter((kind) => kind === 'comment.mentioned')).to.have.length(1)
    expect(await kindsOf(world.agent)).to.include('comment.mentioned')
    expect(await kindsOf(bob)).not.to.include('comment.mentioned')
  })
  it('tells once of a mention that edits remove and bring back, and of one that an edit adds', async () => {
    const told = async (by: Account) => (await kindsOf(by)).filter((kind) => kind.endsWith('.mentioned')).length
    const before = [await told(carol), await told(world.agent)]
    const comment = await say({ page: world.page.id, text: `@${carol.urn}` })
    for (const text of ['Nobody', `Dear @${carol.urn}`, 'Nobody', `@${carol.urn} and @${world.agent.urn}`])
      await world.call('PATCH', `/comments/${comment.id}`, bob, { text })
    expect([await told(carol), await told(world.agent)]).to.deep.equal(before.map((count) => count + 1))
    const { body: page } = await world.call('POST', '/pages', bob, {
      space: world.page.space_id,
      title: 'Plan',
      text: `@${carol.urn}`,
    })
    for (const text of ['Nobody', `Dear @${carol.urn}`, `@${carol.urn} and @${carol.urn}`, `@${carol.urn}`])
      await world.call('PATCH', `/pages/${page.id}`, bob, { text })
    expect(await told(carol), 'of a page, and of a second mention there').to.equal((before[0] ?? 0) + 3)
  })

  it('that is deleted is said to be in its notices, and is sent to no device afterwards', async () => {
    const key = createECDH('prime256v1').generateKeys('base64url')
    const keys = { p256dh: key, auth: randomBytes(16).toString('base64url') }
    const endpoint = 'https://push.example.com/carol'
    await world.mine('POST', '/push-subscriptions', { endpoint, keys }, carol)
    const comment = await say({ page: world.page.id, text: `@${carol.urn}` })
    const notice = async () => {
      const { items } = (await world.call('GET', '/notifications', carol)).body
      return (items as Notice[]).find(({ entity_id }) => entity_id === comment.id)
    }
    const waiting = async () =>
      (
        await sql`select from market.notification_sends send
          join market.notifications told on told.id = send.notification_id where told.entity_id = ${comment.id}`.execute(
          world.api.db,
        )
      ).rows.length
    expect(await notice()).to.include({ title: 'You were mentioned in a comment', entity_deleted: false })
    expect(await waiting()).to.equal(1)
    await world.call('DELETE', `/comments/${comment.id}`, bob)
    expect(await notice()).to.include({ title: 'You were mentioned in a comment (deleted)', entity_deleted: true })
    expect(await waiting()).to.equal(0)
  })
})
