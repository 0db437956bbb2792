import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { pino } from 'pino'
import { personOf } from '../../../../api/identity/person.ts'
import { exportSections } from '../../../../api/modules.ts'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { runImports } from '../../../../api/workspace/imports/run.ts'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { startWorkspace, type TestPage, type Workspace } from '../../../kit/api/workspace/world.ts'

type Row = Record<string, unknown>

describe('what is in a private space', () => {
  let world: Workspace
  let bob: Account
  let hidden: string
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
    hidden = String((await make('/spaces', { name: 'Board', visibility: 'private' })).id)
  })
  after(() => world.stop())

  const make = async (path: string, body: object, by = world.ada) => {
    const reply = await world.call('POST', path, by, body)
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
    return reply.body as Row
  }
  const newSpace = async () => String((await make('/spaces', { name: 'Open' })).id)
  const letIn = async (isIn: boolean) => {
    const method = isIn ? 'PUT' : 'DELETE'
    const { status } = await world.call(method, `/spaces/${hidden}/members/${bob.urn}`)
    expect(status).to.be.within(200, 204)
  }

  it('is in no export of who wrote there and sees it no more, and of pages only what they wrote', async () => {
    await letIn(true)
    const shown = await newSpace()
    for (const space of [hidden, shown]) {
      const page = await make('/pages', { space, title: 'Plan', text: `by Bob in ${space}` }, bob)
      await make(`/pages/${page.id}/entries`, { text: `seen in ${space}` }, bob)
      await world.upload({ page: String(page.id), insert: 'none' }, new File([space], `${space}.txt`), bob)
      const task = await make('/tasks', { space, title: 'Work', text: `to do in ${space}` }, bob)
      await make('/comments', { page: page.id, text: `said in ${space}` }, bob)
      await make('/comments', { task: task.id, text: `said in ${space}` }, bob)
      await make('/decisions', { space, title: `decided in ${space}` }, bob)
      const { headers } = await world.call('GET', `/pages/${page.id}`)
      const edited = await world.api.send('PATCH', `/orgs/${world.slug}/pages/${page.id}`, {
        ...{ token: world.ada.token, headers: { 'if-match': String(headers.get('etag')) } },
        body: { title: 'Layoffs in May', text: `written by Ada in ${space}` },
      })
      expect(edited.status, JSON.stringify(edited.body)).to.equal(200)
    }
    await letIn(false)
    const found: Record<string, Row[]> = {}
    const names = ['page_versions', 'page_entries', 'tasks', 'attachments', 'comments', 'decisions']
    for (const { name, rows } of exportSections.filter((section) => names.includes(section.name))) {
      const answer = await sql<{ document: Row }>`select document from (${rows(personOf(bob.id))}) one`.execute(
        world.api.db,
      )
      found[name] = answer.rows.map(({ document }) => document)
    }
    const text = JSON.stringify(found)
    expect(text).not.to.include(hidden)
    expect(text).not.to.include('written by Ada')
    expect(found.page_versions?.map((page) => [page.title, page.text])).to.deep.equal([['Plan', `by Bob in ${shown}`]])
    const counts = Object.fromEntries(Object.entries(found).map(([name, rows]) => [name, rows.length]))
    expect(counts).to.deep.equal({
      page_versions: 1,
      page_entries: 1,
      tasks: 1,
      attachments: 1,
      comments: 2,
      decisions: 1,
    })
  })

  it('has ids that are in nothing of an open space, but for who sees it [risk API1]', async () => {
    const space = await newSpace()
    const page = await make('/pages', { space: hidden, title: 'Plan', text: '' })
    const about = await make('/tasks', { space: hidden, title: 'Work', text: '' })
    const { id: attachment } = await world.attach(page as unknown as TestPage, 'kept')
    const task = await make('/tasks', { space, page: page.id, title: 'Read it', text: '' })
    const decision = await make('/decisions', { space, page: page.id, task: about.id, title: 'So be it' })
    for (const edit of [{ title: 'Read it all' }, { text: 'By Friday.' }])
      expect((await world.call('PATCH', `/tasks/${task.id}`, world.ada, edit)).body.page_id).to.equal(page.id)
    for (const method of ['PUT', 'DELETE'])
      expect((await world.call(method, `/tasks/${task.id}/files/${attachment}`)).status).to.equal(200)
    const started = await make('/imports', { attachment, space })
    const moved = await make('/pages', { space: hidden, title: 'Moved', text: '' })
    const { headers } = await world.call('GET', `/pages/${moved.id}`)
    const move = await world.api.send('POST', `/orgs/${world.slug}/pages/${moved.id}/move`, {
      ...{ token: world.ada.token, headers: { 'if-match': String(headers.get('etag')) }, body: { space } },
    })
    expect(move.status, JSON.stringify(move.body)).to.equal(200)

    const ids = [hidden, page.id, about.id, attachment].map(String)
    const types = ['task.created', 'task.updated', 'decision.recorded', 'import.started', 'page.moved']
    const events = await eventsOf(world, types.join(), bob)
    const own = events.filter(({ payload }) =>
      [task, decision, started, moved].some(({ id }) => id === payload.entity_id),
    )
    expect(own).to.have.length(8)
    const shown = [own]
    for (const path of [
      `/tasks/${task.id}`,
      `/tasks?space=${space}`,
      `/decisions/${decision.id}`,
      `/decisions?space=${space}`,
      `/imports/${started.id}`,
      `/imports`,
    ])
      shown.push((await world.call('GET', path, bob)).body as unknown as typeof own)
    for (const one of shown) for (const id of ids) expect(JSON.stringify(one)).not.to.include(id)
    expect((await world.call('GET', `/tasks/${task.id}`)).body.page_id).to.equal(page.id)
    expect((await world.call('GET', `/imports/${started.id}`)).body.attachment_id).to.equal(attachment)
    expect((await world.call('GET', `/decisions/${decision.id}`)).body).to.include({
      page_id: page.id,
      task_id: about.id,
    })
  })

  it('has titles that an import tells nobody, whoever begins it', async () => {
    await make('/pages', { space: hidden, title: 'Dismissals in June', text: '' })
    const archive = Buffer.from(zipSync({ 'Dismissals in June.md': strToU8('Guessed.') }))
    for (const by of [bob, world.ada]) {
      const space = await newSpace()
      const page = (await make('/pages', { space, title: 'Archive', text: '' })) as unknown as TestPage
      const { id: attachment } = await world.attach(page, archive, 'Guess.zip')
      for (const into of by === bob ? [space] : [hidden, space]) await make('/imports', { attachment, space: into }, by)
      const log = pino({ level: 'silent' })
      const { db, settings } = world.api
      await runImports({ db, rpc: openRpc('http://127.0.0.1:9'), settings, log })
      const { body } = await world.call('GET', `/pages?space=${space}`)
      const titles = (body.items as { title: string }[]).map(({ title }) => title)
      // The second one finds the page that the first has made in an open space.
      expect(titles).to.have.members(['Archive', by === bob ? 'Dismissals in June' : 'Dismissals in June (2)'])
    }
    const { body } = await world.call('GET', `/pages?space=${hidden}`)
    const titles = (body.items as { title: string }[]).map(({ title }) => title)
    expect(titles).to.include('Dismissals in June (2)')
  })
})
