import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { purge as removeExpired } from '../../../../api/purge.ts'
import { purgeTrash } from '../../../../api/workspace/attachments/purge.ts'
import { mergeTexts } from '../../../../api/workspace/pages/internal/merge.ts'
import { purgePages } from '../../../../api/workspace/pages/purge.ts'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import type { Reply } from '../../../kit/api/platform/http/api.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type TestPage, type Workspace } from '../../../kit/api/workspace/world.ts'

interface Page extends TestPage {
  title: string
  text: string
  rendered_text: string
  references: { name: string; id: string; short_id: string }[]
  version: number
  parent_id: string | null
  published_version: number | null
  trashed_at: string | null
}

/** What of a page in a list is compared here. */
interface ListedPage {
  id: string
  former_titles: { title: string; until: string }[]
}

describe('a page', () => {
  let world: Workspace
  let space: string
  before(async () => {
    world = await startWorkspace()
    space = world.page.space_id
  })
  after(() => world.stop())

  const pageIn = ({ status, body }: Reply, expected = 200) => {
    expect(status, JSON.stringify(body)).to.equal(expected)
    return body as unknown as Page
  }
  const write = async (title: string, text = '', parent?: string) =>
    pageIn(
      await world.call('POST', '/pages', world.ada, {
        space,
        title,
        text,
        ...(parent === undefined ? {} : { parent }),
      }),
      201,
    )
  const read = async ({ id }: TestPage) => pageIn(await world.call('GET', `/pages/${id}`))
  const edit = ({ id }: TestPage, body: object, ifMatch?: number) =>
    world.api.send('PATCH', `/orgs/${world.slug}/pages/${id}`, {
      token: world.ada.token,
      headers: { 'market-version': undefined, ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }) },
      body,
    })
  const listed = async (query: string) => {
    const { body } = await world.call('GET', `/pages?limit=200&${query}`)
    return (body.items as Page[]).map(({ title }) => title)
  }

  const purge = async (...jobs: ((services: JobServices) => Promise<void>)[]) => {
    const silent = pino({ level: 'silent' })
    const services = { db: world.api.db, rpc: openRpc('http://127.0.0.1:9'), settings: world.api.settings, log: silent }
    for (const job of jobs.length > 0 ? jobs : [purgePages, purgeTrash, purgePages]) await job(services)
  }

  it('is in a tree, and moves with what is below it', async () => {
    const top = await write('Top')
    const child = await write('Child', '', top.short_id)
    const leaf = await write('Leaf', '', child.id)
    for (const ref of [top.id, top.id.toUpperCase(), top.short_id])
      expect(await listed(`parent=${ref}`)).to.deep.equal(['Child'])
    expect(await listed('top=true'))
      .to.include('Top')
      .and.not.to.include('Child')
    const other = (await world.call('POST', '/spaces', world.ada, { name: 'Other' })).body
    const below = await world.call('POST', `/pages/${top.id}/move`, world.ada, { parent: leaf.id })
    expectCode(below, 422, 'workspace/page-tree', 'page_tree')
    pageIn(await world.call('POST', `/pages/${child.id}/move`, world.ada, { space: other.short_id }))
    expect(await read(child)).to.include({ space_id: other.id, parent_id: null })
    expect(await read(leaf)).to.include({ space_id: other.id, parent_id: child.id })
    const elsewhere = await world.call('POST', `/pages/${top.id}/move`, world.ada, { parent: child.id, space })
    expectCode(elsewhere, 422, 'workspace/page-tree', 'page_tree')
    pageIn(await world.call('POST', `/pages/${child.id}/move`, world.ada, { parent: top.id }))
    expect(await read(leaf)).to.include({ space_id: space })
  })

  it('names who else has it open, until they leave or fall silent, to members who see it', async () => {
    const bob = await newMember(world, 'Bob')
    const page = await write('Watched')
    const presence = async (by: Account, isEditing = false, { id }: TestPage = page) => {
      const reply = await world.call('PUT', `/pages/${id}/presence`, by, { is_editing: isEditing })
      return reply.status === 200 ? reply.body.others : reply.status
    }
    const named = (account: Account, name: string, isEditing = false) => ({
      account: account.urn,
      display_name: name,
      is_editing: isEditing,
    })
    expect(await presence(bob)).to.deep.equal([])
    expect(await presence(world.agent, true)).to.deep.equal([named(bob, 'Bob')])
    const [, agent] = (await presence(world.ada)) as { display_name: string }[]
    expect(await presence(world.ada)).to.deep.equal([
      named(bob, 'Bob'),
      { ...named(world.agent, '', true), display_name: agent?.display_name },
    ])
    expect(await presence(world.ada, false, await write('Another'))).to.deep.equal([])

    expect((await world.call('DELETE', `/pages/${page.id}/presence`, world.agent)).status).to.equal(204)
    expect(await presence(world.ada, true)).to.deep.equal([named(bob, 'Bob')])
    expect(await presence(bob)).to.have.length(1)
    await passTime(world.api, world.api.settings.rules.pagePresenceSeconds)
    expect(await presence(world.ada)).to.deep.equal([])
    const rows = () => world.api.db.selectFrom('market.page_presence').select('account_id').execute()
    await purge(removeExpired)
    expect(await rows()).to.have.length(1)

    const board = (await world.call('POST', '/spaces', world.ada, { name: 'Board', visibility: 'private' })).body
    const secret = await world.call('POST', '/pages', world.ada, { space: board.id, title: 'Secret', text: '' })
    expect(await presence(world.ada, false, pageIn(secret, 201))).to.deep.equal([])
    for (const by of [bob, world.stranger]) expect(await presence(by, false, pageIn(secret, 201))).to.equal(404)
    expect(await presence(world.stranger)).to.equal(404)
  })

  it('goes to the trash with what is below it, comes back, and is removed when its time is over', async () => {
    const top = await write('Going')
    const child = await write('Going along', '', top.id)
    const file = await world.attach(child, 'albatross')
    pageIn(await world.call('DELETE', `/pages/${top.id}`))
    for (const path of [`/pages/${top.id}`, `/pages/${child.id}`, `/attachments/${file.id}`])
      expect((await world.call('GET', path)).status).to.equal(404)
    expect(await listed('trash=true')).to.have.members(['Going', 'Going along'])
    expect(await listed('')).not.to.include('Going')
    const alone = await world.call('POST', `/pages/${child.id}/restore`)
    expectCode(alone, 409, 'workspace/page-not-trashed', 'page_not_trashed')
    pageIn(await world.call('POST', `/pages/${top.id}/restore`))
    expect(await read(child)).to.include({ parent_id: top.id, trashed_at: null })
    expect((await world.call('GET', `/attachments/${file.id}`)).status).to.equal(200)

    pageIn(await world.call('DELETE', `/pages/${top.id}`))
    await passTime(world.api, world.api.settings.rules.trashDays * 86_400 + 1)
    const late = await world.call('POST', `/pages/${top.id}/restore`)
    expectCode(late, 409, 'workspace/page-not-trashed', 'page_not_trashed')
    await purge()
    expect(await listed('trash=true')).to.deep.equal([])
    expect(await world.usedBytes()).to.equal(0)
  })

  it('comes back to its own space, whatever became of the page above it', async () => {
    const top = await write('Above')
    const child = await write('Below', '', top.id)
    pageIn(await world.call('DELETE', `/pages/${child.id}`))
    const other = (await world.call('POST', '/spaces', world.ada, { name: 'Other', visibility: 'private' })).body
    pageIn(await world.call('POST', `/pages/${top.id}/move`, world.ada, { space: other.id }))
    const restored = pageIn(await world.call('POST', `/pages/${child.id}/restore`))
    expect(restored).to.include({ space_id: space, parent_id: null })
  })

  it('is moved to a place that is named', async () => {
    const page = await write('Below', '', (await write('Above')).id)
    expectCode(await world.call('POST', `/pages/${page.id}/move`, world.ada, {}), 400, 'request/invalid', 'invalid')
    expect((await read(page)).parent_id).to.be.a('string')
  })

  it('keeps what it said, compares versions and writes one again', async () => {
    const page = await write('History', 'one\ntwo\nthree')
    await edit(page, { text: 'one\n2\nthree' })
    pageIn(await world.call('POST', `/pages/${page.id}/publish`))
    await edit(page, { text: 'one\n2\nthree\nfour', title: 'Story' })
    const { body } = await world.call('GET', `/pages/${page.id}/versions?limit=2`)
    expect((body.items as { number: number }[]).map(({ number }) => number)).to.deep.equal([3, 2])
    expect((await world.call('GET', `/pages/${page.id}/versions/1`)).body.text).to.equal('one\ntwo\nthree')
    const { body: diff } = await world.call('GET', `/pages/${page.id}/versions/3/diff?from=1`)
    expect(diff).to.deep.include({ old_title: 'History', new_title: 'Story' })
    expect(diff.hunks).to.deep.equal([
      { from_line: 2, removed: ['two'], added: ['2'] },
      { from_line: 4, removed: [], added: ['four'] },
    ])
    const restored = pageIn(await world.call('POST', `/pages/${page.id}/versions/1/restore`))
    expect(restored).to.include({ text: 'one\ntwo\nthree', title: 'History', version: 4, published_version: 2 })
    expect((await world.call('GET', `/pages/${page.id}/versions/9`)).status).to.equal(404)
  })

  it('merges an edit of an earlier version, or refuses it and stays as it is', async () => {
    const page = await write('Merged', 'one\ntwo\nthree\nfour\nfive')
    pageIn(await edit(page, { text: 'ONE\ntwo\nthree\nfour\nfive' }, 1))
    const merged = pageIn(await edit(page, { text: 'one\ntwo\nthree\nfour\nFIVE', title: 'New title' }, 1))
    expect(merged).to.include({ text: 'ONE\ntwo\nthree\nfour\nFIVE', title: 'New title', version: 3 })
    for (const body of [{ text: 'uno\ntwo\nthree\nfour\nfive' }, { title: 'Another title' }]) {
      expectCode(await edit(page, body, 1), 412, 'workspace/page-conflict', 'page_conflict')
    }
    expectCode(await edit(page, { text: 'x' }, 9), 412, 'workspace/page-conflict', 'page_conflict')
    expect(await read(page)).to.include({ text: merged.text, version: 3 })
    const twice = pageIn(await edit(page, { text: merged.text }, 1))
    expect(twice.version).to.equal(3)
    const lines = '\n'.repeat(100_000)
    expect(mergeTexts(lines, `${lines}a`, `b${lines}`)).to.equal(undefined)
  })

  const withTag = (method: string, path: string, tag: string, body?: object) =>
    world.api.send(method, `/orgs/${world.slug}/pages/${path}`, {
      token: world.ada.token,
      headers: { 'market-version': undefined, 'if-match': tag },
      ...(body ? { body } : {}),
    })

  it('is edited at the version that If-Match names, in any form of the header', async () => {
    const page = await write('Tagged', 'one')
    pageIn(await edit(page, { text: 'two' }))
    const attempt = async (tag: string, text: string) => {
      const { status, body } = await withTag('PATCH', page.id, tag, { text })
      return status === 200 ? body.version : status
    }
    for (const tag of ['"9"', '"x"', 'W/"9"', '"7", W/"x"', '"2-x"']) {
      expect(await attempt(tag, 'three'), tag).to.equal(412)
    }
    for (const tag of ['2', '""x', '"2" and', '', 'w/"2"']) expect(await attempt(tag, 'three'), tag).to.equal(400)
    expect(await attempt('"7", "2"', 'four')).to.be.above(2)
    expect(await attempt('*', 'five')).to.be.above(3)
    expect((await withTag('PATCH', page.id, '"1", "2"', { text: 'six' })).status).to.equal(412)
  })

  it('accepts the tag of a version that a compressing proxy changed', async () => {
    const page = await write('Compressed', 'one')
    // A weak tag as nginx makes it, and the suffixes of Apache and Caddy.
    for (const [index, mark] of ['W/"1"', '"2-gzip"', 'W/"3-br"', '"4--gzip"', '"5-zstd"'].entries()) {
      expect(pageIn(await withTag('PATCH', page.id, mark, { text: `now ${mark}` })).version, mark).to.equal(index + 2)
    }
    expectCode(await withTag('DELETE', page.id, 'W/"5"'), 412, 'workspace/page-conflict', 'page_conflict')
    pageIn(await withTag('DELETE', page.id, 'W/"6"'))
  })

  it('is trashed, moved, published and put back at the version that If-Match names alone', async () => {
    const page = await write('Guarded', 'one')
    pageIn(await edit(page, { text: 'two' }))
    const steps = [
      ['POST', `${page.id}/publish`],
      ['POST', `${page.id}/move`, { parent: null }],
      ['POST', `${page.id}/versions/1/restore`],
      ['DELETE', page.id],
    ] as const
    for (const [method, path, body] of steps)
      expectCode(await withTag(method, path, '"1"', body), 412, 'workspace/page-conflict', 'page_conflict')
    expect(await read(page)).to.include({ version: 2, published_version: null, trashed_at: null })
    for (const [method, path, body] of steps)
      pageIn(await withTag(method, path, path.includes('versions') || method === 'POST' ? '"2"' : '"3"', body))
  })

  it('is referred to by its title, also after it was renamed and moved', async () => {
    const goal = await write('Goal')
    const from = await write('From', 'See [[Goal]], [[Goal|the goal]] and [[Goals]].')
    expect(from.rendered_text).to.equal('See [[Goal]], [[Goal|the goal]] and [missing attachment: Goals].')
    const file = await write('With a file', '![[Goal]]')
    await world.attach(file, 'x', 'Goal')
    pageIn(await edit(goal, { title: 'Aim' }))
    expect((await read(from)).text).to.equal('See [[Aim]], [[Aim|the goal]] and [[Goals]].')
    expect((await read(file)).text).to.equal('![[Goal]]')
    pageIn(await world.call('POST', `/pages/${goal.id}/move`, world.ada, { parent: from.id }))
    expect((await read(from)).rendered_text).to.include('[[Aim]]')
    pageIn(await edit(goal, { title: 'Target', update_references: false }))
    expect((await read(from)).text).to.include('[[Aim]]')
  })

  it('is referred to in any form of its title, and not in code', async () => {
    const code = 'if [[ -f Verse ]]; then `[[Verse]]`'
    const goal = await write(' Cafe\u0301 ')
    expect(goal.title).to.equal('Caf\u00e9')
    const text = `[[Cafe\u0301]] ![[ Caf\u00e9 |it]]\n\n\`\`\`sh\n${code}\n[[Caf\u00e9]]\n\`\`\`\n\n\`[[none]]\` [[none]]`
    const from = await write('Many forms', text)
    expect(from.rendered_text).to.equal(text.replace(/\[\[none\]\]$/, '[missing attachment: none]'))
    pageIn(await edit(goal, { title: 'Bar' }))
    const renamed = text.replace('[[Cafe\u0301]]', '[[Bar]]').replace('[[ Caf\u00e9 |it]]', '[[Bar|it]]')
    expect((await read(from)).text).to.equal(renamed)
    const long = await write('Long', `[[${'ab'.repeat(5_000)}]]`)
    expect(long.rendered_text).to.equal(long.text)
  })

  it('is referred to with a section and in a table, and by the longest name that there is', async () => {
    const goal = await write('Scheme')
    const sharp = await write('Scheme#2')
    const text =
      '[[Scheme#Why]] [[Scheme#^b1|why]] [[#Here]] [words **of** it](<[[Scheme#Why]]>)\n\n| x |\n|---|\n| [[Scheme\\|it]] |\n\n[[Scheme#2]] [[Scheme#2#How]] \\[[Scheme]]'
    const from = await write('With sections', text)
    expect(from.rendered_text).to.equal(text)
    const { references } = from as unknown as { references: { name: string; id: string }[] }
    expect(references.map(({ name, id }) => [name, id])).to.have.deep.members([
      ['Scheme', goal.id],
      ['Scheme#2', sharp.id],
    ])
    pageIn(await edit(goal, { title: 'Map' }))
    const renamed = text.replaceAll(/(?<!\\)\[\[Scheme(?!#2)/g, '[[Map')
    expect((await read(from)).text).to.equal(renamed)
    pageIn(await edit(sharp, { title: 'Chart' }))
    expect((await read(from)).text).to.equal(renamed.replaceAll('[[Scheme#2', '[[Chart'))
  })

  it('answers with what it says when it refers to itself, and is renamed back with the references to it', async () => {
    const page = await write('Self', 'I am [[Self]].')
    const from = await write('Other', '[[Self]]')
    const renamed = pageIn(await edit(page, { title: 'Me' }))
    expect(renamed).to.include({ title: 'Me', text: 'I am [[Me]].' })
    expect(await read(page)).to.deep.equal(renamed)
    pageIn(await world.call('POST', `/pages/${page.id}/versions/1/restore`))
    expect((await read(from)).text).to.equal('[[Self]]')
  })

  it('shows its new title to nobody outside a private space, and an older one there takes no reference from it', async () => {
    const hidden = String(
      (await world.call('POST', '/spaces', world.ada, { name: 'Ours', visibility: 'private' })).body.id,
    )
    const older = pageIn(await world.call('POST', '/pages', world.ada, { space: hidden, title: 'Pay' }), 201)
    const inside = pageIn(
      await world.call('POST', '/pages', world.ada, { space: hidden, title: 'List', text: '[[Pay]]' }),
      201,
    )
    const younger = await write('Pay')
    const outside = await write('Outside', '[[Pay]]')
    pageIn(await edit(younger, { title: 'Pay day' }))
    expect([(await read(outside)).text, (await read(inside)).text]).to.deep.equal(['[[Pay day]]', '[[Pay]]'])
    pageIn(await edit(outside, { text: '[[Pay]]' }))
    pageIn(await edit(older, { title: 'Pay cuts' }))
    expect([(await read(outside)).text, (await read(inside)).text]).to.deep.equal(['[[Pay]]', '[[Pay cuts]]'])
  })

  describe('of which the title changes', () => {
    let ben: Account
    before(async () => {
      ben = await newMember(world, 'Ben')
    })

    const newSpace = async (visibility: 'open' | 'private') =>
      String((await world.call('POST', '/spaces', world.ada, { name: visibility, visibility })).body.id)
    const writeIn = async (place: string, title: string, text = '') =>
      pageIn(await world.call('POST', '/pages', world.ada, { space: place, title, text }), 201)
    const archive = async (place: string, archived: boolean) =>
      expect((await world.call('PATCH', `/spaces/${place}`, world.ada, { archived })).status).to.equal(200)
    const readAs = async (by: Account, { id }: TestPage) => pageIn(await world.call('GET', `/pages/${id}`, by))
    const renameAs = async (by: Account, { id }: TestPage, title: string) =>
      pageIn(await world.call('PATCH', `/pages/${id}`, by, { title }))
    const leadsTo = async (from: TestPage, by: Account = world.ada) =>
      (await readAs(by, from)).references.map(({ id }) => id)

    it('keeps the former one as a name, and changes no text that its member may not edit', async () => {
      const goal = await write('North')
      const archived = await newSpace('open')
      const hidden = await newSpace('private')
      const here = await write('Here', '[[North]]')
      const old = await writeIn(archived, 'Old', '[[North]]')
      const secret = await writeIn(hidden, 'Secret', '[[North]] ![[North|it]]')
      const trashed = await write('Trashed', '[[North]]')
      await archive(archived, true)
      pageIn(await world.call('DELETE', `/pages/${trashed.id}`))
      await renameAs(ben, goal, 'South')
      pageIn(await world.call('POST', `/pages/${trashed.id}/restore`))
      expect((await read(here)).text).to.equal('[[South]]')
      for (const [page, version] of [old, secret, trashed].map((one) => [one, 1] as const)) {
        const now = await read(page)
        expect(now, page.title).to.include({ text: page.text, rendered_text: page.text, version })
        expect(now.references.map(({ id }) => id)).to.deep.equal([goal.id])
      }
      // Its owner sees every space: what is archived stays as it is.
      await renameAs(world.ada, goal, 'East')
      pageIn(await edit(secret, { text: '[[East]]' }))
      pageIn(await world.call('POST', `/pages/${goal.id}/versions/1/restore`, ben))
      expect([await read(old), await read(secret)].map(({ text }) => text)).to.deep.equal(['[[North]]', '[[East]]'])
      expect([await leadsTo(here), await leadsTo(secret)]).to.deep.equal([[goal.id], [goal.id]])
    })

    it('changes no text of a space that is put into the archive meanwhile', async () => {
      const goal = await write('Early')
      const place = await newSpace('open')
      const from = await writeIn(place, 'From there', '[[Early]]')
      let renaming: Promise<Page> | undefined
      await world.api.db.transaction().execute(async (tx) => {
        await sql`update market.spaces set archived_at = market.now() where id = ${place}`.execute(tx)
        renaming = renameAs(world.ada, goal, 'Late')
        await untilWaitingForLocks(world.api.db, 1)
      })
      await renaming
      expect(await read(from)).to.include({ text: '[[Early]]', version: 1 })
    })

    it('leaves it to a new page that takes it, and else to the page that had it last, in the same form', async () => {
      const [from, other] = [await write('Refers', '[[Caf\u00e9]]'), await write('Refers too', '[[caf\u00e9]]')]
      const first = await write('Cafe\u0301')
      pageIn(await edit(first, { title: 'Tea', update_references: false }))
      expect([await leadsTo(from), await leadsTo(other)]).to.deep.equal([[first.id], []])
      expect((await read(other)).rendered_text).to.equal('[missing attachment: caf\u00e9]')
      const second = await write('Caf\u00e9')
      expect(await leadsTo(from)).to.deep.equal([second.id])
      pageIn(await world.call('DELETE', `/pages/${second.id}`))
      expect(await leadsTo(from)).to.deep.equal([first.id])
      pageIn(await world.call('POST', `/pages/${second.id}/restore`))
      pageIn(await edit(second, { title: 'Bar', update_references: false }))
      expect(await leadsTo(from)).to.deep.equal([second.id])
      // Who has a name again, and gives it up again, had it last.
      for (const title of ['Caf\u00e9', 'Milk']) pageIn(await edit(first, { title, update_references: false }))
      expect(await leadsTo(from)).to.deep.equal([first.id])
      const { items } = (await world.call('GET', '/pages?limit=200')).body as unknown as { items: ListedPage[] }
      const titlesOf = (id: string) =>
        items.find((one) => one.id === id)?.former_titles.map(({ title }) => title.normalize('NFC'))
      expect([titlesOf(first.id), titlesOf(second.id), titlesOf(from.id)]).to.deep.equal([
        ...[['Caf\u00e9', 'Tea'], ['Caf\u00e9'], []],
      ])
      await world.attach(from, 'x', 'Caf\u00e9')
      expect(await read(from)).to.deep.include({ references: [], rendered_text: '[[Caf\u00e9]]' })
    })

    it('is led to by a former one for those alone who see the page, and until it is purged', async () => {
      const hidden = await newSpace('private')
      const page = await writeIn(hidden, 'Layoffs')
      const from = await write('Refers to it', '[[Layoffs]]')
      await renameAs(world.ada, page, 'Changes')
      expect((await read(from)).text).to.equal('[[Layoffs]]')
      expect([await leadsTo(from), await leadsTo(from, ben)]).to.deep.equal([[page.id], []])
      expect((await readAs(ben, from)).rendered_text).to.equal('[missing attachment: Layoffs]')
      pageIn(await world.call('DELETE', `/pages/${page.id}`))
      expect(await leadsTo(from)).to.deep.equal([])
      await passTime(world.api, 31 * 86_400)
      await purge()
      const { rows } = await sql`select from market.page_aliases where page_id = ${page.id}`.execute(world.api.db)
      expect(rows).to.deep.equal([])
    })

    it('is not written where the new one would lead elsewhere', async () => {
      const taken = await write('Taken')
      const page = await write('Free')
      const from = await write('Refers to the younger', '[[Free]] [[Taken]]')
      await renameAs(world.ada, page, 'Taken')
      expect((await read(from)).text).to.equal('[[Free]] [[Taken]]')
      expect((await leadsTo(from)).toSorted()).to.deep.equal([page.id, taken.id].toSorted())
      await renameAs(world.ada, page, 'Free')
      await world.attach(from, 'x', 'file.txt')
      await renameAs(world.ada, page, 'file.txt')
      expect((await read(from)).text).to.equal('[[Free]] [[Taken]]')
      expect(await leadsTo(from)).to.include(page.id)
    })
  })

  it('has entries, which are read, changed by who wrote them, and deleted by them or an admin', async () => {
    const bob = await newMember(world, 'Bob')
    const page = await write('Log')
    const made = await world.call('POST', `/pages/${page.id}/entries`, bob, { text: 'Saw avocets.' })
    const at = `/entries/${made.body.short_id}`
    expect((await world.call('GET', at, world.agent)).body).to.deep.equal(made.body)
    expectCode(await world.call('GET', at, world.stranger), 404, 'resource/not-found', 'not_found')
    for (const by of [world.ada, world.agent]) {
      expectCode(await world.call('PATCH', at, by, { text: 'x' }), 403, 'auth/forbidden', 'forbidden')
    }
    await passTime(world.api, 60)
    const edited = (await world.call('PATCH', at, bob, { text: 'Saw godwits.' })).body
    expect(edited).to.deep.equal({ ...made.body, text: 'Saw godwits.', updated_at: edited.updated_at })
    expect(Date.parse(String(edited.updated_at))).to.be.above(Date.parse(String(made.body.updated_at)))
    const found = async (word: string) => (await world.call('GET', `/search?q=${word}`)).body.items as object[]
    expect([await found('avocets'), (await found('godwits')).length]).to.deep.equal([[], 1])
    // It says what it said before: nothing is changed.
    expect((await world.call('PATCH', at, bob, { text: 'Saw godwits.' })).body).to.deep.equal(edited)
    expectCode(await world.call('PATCH', at, bob, { text: '' }), 400, 'request/invalid', 'invalid')
    const carol = await newMember(world, 'Carol')
    expectCode(await world.call('DELETE', at, carol), 403, 'auth/forbidden', 'forbidden')
    const file = (await world.upload({ page: page.id, entry: String(made.body.id), insert: 'none' })).body
    expect((await world.call('DELETE', at)).status).to.equal(204)
    expectCode(await world.call('DELETE', at), 404, 'resource/not-found', 'not_found')
    expect((await world.call('GET', `/attachments/${file.id}`)).body).to.include({ entry_id: null, state: 'active' })
    expect([(await world.call('GET', `/pages/${page.id}/entries`)).body.items, await found('godwits')]).to.deep.equal([
      [],
      [],
    ])
    const events = await eventsOf(world, 'page.updated')
    const entry_id = made.body.id
    expect(
      events.filter(({ payload }) => payload.entity_id === page.id).map(({ payload }) => payload.data),
    ).to.deep.equal([{ entry_id }, { entry_id }, { entry_id, is_deleted: true }])
  })

  it('keeps its entries as they are in an archived space, and in the trash', async () => {
    const { id } = (await world.call('POST', '/spaces', world.ada, { name: 'Old' })).body
    const page = (await world.call('POST', '/pages', world.ada, { space: id, title: 'Log' })).body
    const at = `/entries/${(await world.call('POST', `/pages/${page.id}/entries`, world.ada, { text: 'One' })).body.id}`
    await world.call('PATCH', `/spaces/${id}`, world.ada, { archived: true })
    for (const [method, body] of [['PATCH', { text: 'Two' }], ['DELETE']] as const) {
      expectCode(await world.call(method, at, world.ada, body), 409, 'workspace/space-archived', 'space_archived')
    }
    await world.call('PATCH', `/spaces/${id}`, world.ada, { archived: false })
    await world.call('DELETE', `/pages/${page.id}`)
    for (const [method, body] of [['GET'], ['PATCH', { text: 'Two' }], ['DELETE']] as const) {
      expectCode(await world.call(method, at, world.ada, body), 404, 'resource/not-found', 'not_found')
    }
  })

  it('tells of each change by an event of its own [spec w6.1:2]', async () => {
    const types = new Set((await eventsOf(world, 'page.*')).map(({ event_type }) => event_type))
    expect([...types]).to.have.members(
      ['created', 'updated', 'moved', 'deleted', 'restored', 'published'].map((type) => `page.${type}`),
    )
  })
})
