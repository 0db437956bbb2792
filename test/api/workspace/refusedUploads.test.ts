import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sendForm, startWorkspace, type Workspace } from './world.ts'

const QUOTA_BYTES = 100_000
const FILE = new File([Buffer.alloc(60_000, 'a')], 'verse.txt')

describe('bytes that are refused', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace({ rules: { maxOrgBytes: QUOTA_BYTES } })
    await world.attach(world.page, 'First')
  })
  after(() => world.stop())

  /** What is stored more after an upload than before, and how it was answered. */
  async function stored(upload: () => Promise<{ status: number }>) {
    const before = await world.storedFiles()
    const { status } = await upload()
    return { status, stored: (await world.storedFiles()) - before }
  }
  const none = (status: number) => ({ status, stored: 0 })

  it('are not stored for a page or an entry that is not there', async () => {
    const missing = '01890000-0000-7000-8000-000000000000'
    expect(await stored(() => world.upload({ page: missing }, FILE))).to.deep.equal(none(404))
    expect(await stored(() => world.upload({ page: world.page.id, entry: missing }, FILE))).to.deep.equal(none(404))
  })

  it('are removed when the rest of the form is wrong', async () => {
    const url = `${world.api.baseUrl}/orgs/${world.slug}/attachments`
    const late = () =>
      sendForm(url, world.ada.token, [
        ['page', world.page.id],
        ['file', FILE],
        ['insert', 'none'],
      ])
    expect(await stored(late)).to.deep.equal(none(400))
  })

  it('are removed when the verb has no room for them, and when they were sent before', async () => {
    const page = world.page.id
    const kept = await stored(() => world.upload({ page, insert: 'none' }, FILE))
    expect(kept).to.deep.equal({ status: 201, stored: 1 })
    const other = new File([Buffer.alloc(60_000, 'b')], 'other.txt')
    expect(await stored(() => world.upload({ page, insert: 'none' }, other))).to.deep.equal(none(413))
    expect(await world.usedBytes()).to.equal(60_005)
    const replace = (key: string) => () =>
      world.api.send('PUT', `/orgs/${world.slug}/attachments/${ref}/content`, {
        token: world.ada.token,
        raw: Buffer.from('Forty-two.'),
        headers: { 'content-type': 'application/octet-stream', 'idempotency-key': key, 'market-version': undefined },
      })
    const ref = (await world.attach(await world.newPage(), 'One')).id
    expect(await stored(replace('one'))).to.deep.equal({ status: 200, stored: 1 })
    expect(await stored(replace('one'))).to.deep.equal(none(200))
  })
})
