import { type ClientRequest, request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sendForm, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'
import { until } from '../../../kit/until.ts'

const QUOTA_BYTES = 2_500_000
const FILE_BYTES = 1_500_000
const FILE = new File([Buffer.alloc(FILE_BYTES, 'a')], 'verse.txt')

describe('bytes that are refused', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace({ rules: { maxOrgBytes: QUOTA_BYTES } })
    await world.attach(world.page, 'First')
  })
  after(() => world.stop())

  /** What is stored more after an upload than before, and how it was answered. Nothing stays reserved. */
  async function stored(upload: () => Promise<{ status: number }>) {
    const before = await world.storedFiles()
    const { status } = await upload()
    expect(await reserved()).to.equal(0)
    return { status, stored: (await world.storedFiles()) - before }
  }
  const reserved = async () => Number((await world.call('GET', '/usage')).body.reserved_bytes)
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

  it('are removed when the verb has no room for them, and when they were sent before [risk account-quotas]', async () => {
    const page = world.page.id
    const kept = await stored(() => world.upload({ page, insert: 'none' }, FILE))
    expect(kept).to.deep.equal({ status: 201, stored: 1 })
    const other = new File([Buffer.alloc(FILE_BYTES, 'b')], 'other.txt')
    expect(await stored(() => world.upload({ page, insert: 'none' }, other))).to.deep.equal(none(413))
    expect(await world.usedBytes()).to.equal(FILE_BYTES + 5)
    const one = await world.attach(await world.newPage(), 'One')
    const replace = (key: string) => () => world.replace(one, Buffer.from('Forty-two.'), { 'idempotency-key': key })
    expect(await stored(replace('one'))).to.deep.equal({ status: 200, stored: 1 })
    expect(await stored(replace('one'))).to.deep.equal(none(200))
  })

  it('count while they arrive: what is on its way leaves no room for more, until its connection ends', async () => {
    const page = await world.newPage()
    const ref = (await world.attach(page, 'Two', 'two.txt')).id
    await world.api.db.updateTable('market.storage_usage').set({ used_bytes: 0n }).execute()
    /** Sends some of the bytes of a file, and no more. */
    const hang = (method: string, path: string, headers: Record<string, string | number>, bytes: string) => {
      const sender = request(`${world.api.baseUrl}/orgs/${world.slug}/attachments${path}`, {
        method,
        headers: { authorization: `Bearer ${world.ada.token}`, ...headers },
      })
      sender.on('error', () => {}).write(bytes)
      return sender
    }
    const form = ['--x', 'content-disposition: form-data; name="page"', '', page.id, '--x']
    const file = [...form, 'content-disposition: form-data; name="file"; filename="a.txt"', '', 'a'.repeat(1_000)]
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
    const plain = { 'content-type': 'application/octet-stream' }
    const senders: [string, () => ClientRequest][] = [
      ['a form', () => hang('POST', '', { ...multipart, 'content-length': FILE_BYTES }, file.join('\r\n'))],
      ['content', () => hang('PUT', `/${ref}/content`, { ...plain, 'content-length': FILE_BYTES }, 'a')],
      ['content of unknown length', () => hang('PUT', `/${ref}/content`, plain, 'a'.repeat(100))],
    ]
    for (const [name, send] of senders) {
      const sender = send()
      await until('the bytes are reserved', reserved, (bytes) => bytes >= 1_000_000)
      const { status } = await world.upload({ page: page.id, insert: 'none' }, FILE)
      expect(status, name).to.equal(413)
      sender.destroy()
      await until('nothing is reserved', reserved, (bytes) => bytes === 0)
    }
    const files = ['c', 'd', 'e'].map((fill) => new File([Buffer.alloc(FILE_BYTES, fill)], `${fill}.txt`))
    const replies = await Promise.all(files.map((one) => world.upload({ page: page.id, insert: 'none' }, one)))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 413, 413])
    expect(await reserved()).to.equal(0)
  })
})
