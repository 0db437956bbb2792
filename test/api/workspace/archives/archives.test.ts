import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { strFromU8, unzipSync } from 'fflate'
import { layOutApart } from '../../../../api/workspace/archives/internal/layOutApart.ts'
import { layOutArchive } from '../../../../api/workspace/archives/internal/layout.ts'
import { layOutPages } from '../../../../api/workspace/archives/internal/names.ts'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import { newMember } from '../../../kit/api/workspace/joining.ts'
import { startWorkspace, type TestPage, type Workspace } from '../../../kit/api/workspace/world.ts'

const TEXT = '# Hérons\r\n\r\n[[Food]] ![[river.txt]]\n'

describe('an archive of pages', () => {
  let world: Workspace
  let bob: Account
  let hidden: string
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
    hidden = await make('/spaces', { name: 'Board', visibility: 'private' }).then(({ id }) => id)
  })
  after(() => world.stop())

  const make = async (path: string, body: object) => {
    const reply = await world.call('POST', path, world.ada, body)
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
    return reply.body as unknown as TestPage
  }
  const fetchArchive = (path: string, by = world.ada, method = 'GET') =>
    fetch(`${world.api.baseUrl}/orgs/${world.slug}${path}/archive`, {
      method,
      headers: { authorization: `Bearer ${by.token}` },
    })
  const filesIn = async (path: string, by = world.ada) => {
    const answer = await fetchArchive(path, by)
    expect(answer.status).to.equal(200)
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
  }

  it('has a page and the pages below it as stored, with the newest version of each file, and nothing from the trash', async () => {
    const space = (await make('/spaces', { name: 'Birds' })).id
    const herons = await make('/pages', { space, title: 'Hérons', text: TEXT })
    const food = await make('/pages', { space, parent: herons.id, title: 'Food', text: 'Fish' })
    const gone = await make('/pages', { space, parent: herons.id, title: 'Gone', text: 'x' })
    await world.call('DELETE', `/pages/${gone.id}`)
    await make('/pages', { space, title: 'Egrets', text: '' })
    const river = await world.attach(herons, 'ice', 'river.txt')
    await world.replace(river, 'water')
    const trashed = await world.attach(food, 'x', 'trashed.txt')
    await world.call('DELETE', `/attachments/${trashed.id}`)

    const below = { 'Hérons.md': TEXT, 'Hérons/Food.md': 'Fish', 'Hérons/river.txt': 'water' }
    expect(await filesIn(`/pages/${herons.short_id}`)).to.deep.equal(below)
    expect(await filesIn(`/pages/${food.id}`)).to.deep.equal({ 'Food.md': 'Fish' })
    expect(await filesIn(`/spaces/${space}`)).to.deep.equal({ ...below, 'Egrets.md': '' })
    const { status, headers } = await fetchArchive(`/spaces/${space}`, world.ada, 'HEAD')
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).to.deep.equal([
      ...[200, 'application/zip', `attachment; filename="Birds.zip"; filename*=UTF-8''Birds.zip`],
    ])
  })

  it('is for those who see the space, and for people alone', async () => {
    const page = await make('/pages', { space: hidden, title: 'Layoffs', text: 'in May' })
    await world.attach(page, 'names', 'names.txt')
    const ways = [`/spaces/${hidden}`, `/pages/${page.id}`, `/pages/${page.short_id}`]
    for (const way of ways) {
      expect(Object.keys(await filesIn(way))).to.deep.equal(['Layoffs.md', 'Layoffs/names.txt'])
      expect((await fetchArchive(way, bob)).status, way).to.equal(404)
      expect((await fetchArchive(way, world.stranger)).status, way).to.equal(404)
      expect((await fetchArchive(way, world.agent)).status, way).to.equal(403)
    }
    await world.call('PUT', `/spaces/${hidden}/members/${bob.urn}`)
    expect(await filesIn(`/spaces/${hidden}`, bob)).to.have.property('Layoffs.md', 'in May')
  })

  it('names the files that the scanner has not let through, and leaves them out', async () => {
    const page = await make('/pages', { space: hidden, title: 'Bad', text: '' })
    const { sha256 } = await world.attach(page, 'eicar', 'virus.exe')
    const { db } = world.api
    await db.updateTable('market.files').set({ scan_state: 'infected' }).where('sha256', '=', sha256).execute()
    const files = await filesIn(`/pages/${page.id}`)
    expect(Object.keys(files)).to.deep.equal(['Bad.md', 'LEFT OUT.txt'])
    expect(files['LEFT OUT.txt']).to.include('Bad/virus.exe')
  })

  it('has no path that leads out of it, that a system refuses, or that is there twice', () => {
    const titles = ['../a', '..', '/etc/passwd', 'a:b?', 'CON', 'Twice', 'twice', 'Twice', '.hidden', 'a\u202eb', '']
    const pages = titles.map((title, index) => ({ id: `${index}`, parent_id: index === 1 ? '0' : null, title }))
    const { stemOf, pathFor } = layOutPages(pages)
    const paths = [
      ...pages.map(({ id }) => `${stemOf(id)}.md`),
      ...['Twice.md', 'x.txt', 'X.txt', '..'].map((name) => pathFor('5', name)),
    ]
    for (const path of paths) {
      expect(path).not.to.match(/(^|\/)\.|^\/|\\|:|\?|\u202e|\/\/|^con(\.|$)/i)
      expect(path).not.to.include('..')
    }
    expect(new Set(paths.map((path) => path.toLowerCase())).size).to.equal(paths.length)
    expect(paths[1]).to.match(/^_[^/]*\/[^/]+\.md$/)
  })

  it('is laid out in a thread as it is without one if it is large, also after one whose layout fails', async () => {
    const page = (index: number) => ({
      id: `${index}`,
      parent_id: index % 9 ? `${index - 1}` : null,
      title: 'Same',
      version: 1,
    })
    const pages = Array.from({ length: 600 }, (_, index) => page(index))
    const files = [{ pageId: '599', filename: 'a.txt', fileId: 'file', isHarmless: true }]
    const failed = layOutApart({
      pages,
      files: [{ ...files[0], pageId: 'none', filename: 'a', fileId: 'b', isHarmless: true }],
    })
    const laidOut = layOutApart({ pages, files })
    expect(await Promise.resolve(failed).catch(({ message }) => message)).to.include('none is not in the archive')
    expect(await laidOut).to.deep.equal(layOutArchive({ pages, files }))
  })
})
