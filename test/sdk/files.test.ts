import { createHash, randomBytes } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { connect, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { UploadMismatch, uploadFile } from '../../sdk/files.ts'
import { ApiProblem } from '../../sdk/problem.ts'
import { startWorkspace, type Workspace } from '../kit/api/workspace/world.ts'

const BYTES = randomBytes(3_000_000)
const SHA256 = createHash('sha256').update(BYTES).digest('hex')
const HALF = BYTES.length / 2

describe('the upload of a file with the SDK', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const file = new File([BYTES], 'bytes.bin')
  const account = () => ({ baseUrl: world.api.baseUrl, token: world.ada.token })
  const destination = (org = world.slug) => ({ org, page: world.page.id, insert: 'none' as const })
  const failureOf = (upload: Promise<unknown>) =>
    upload.then(
      () => expect.fail('it went well'),
      (error: unknown) => error,
    )
  const reserved = async () => (await world.call('GET', '/usage')).body.reserved_bytes

  /** An upload whose first half arrived, from another process: its URL. */
  async function begun(half: Uint8Array): Promise<string> {
    const { baseUrl, token } = account()
    const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
    const metadata = Object.entries({ ...destination(), filename: 'bytes.bin' }).map(
      ([name, value]) => `${name} ${btoa(value)}`,
    )
    const made = await fetch(`${baseUrl}/uploads`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': String(BYTES.length), 'upload-metadata': metadata.join(',') },
    })
    const url = new URL(made.headers.get('location') ?? '', baseUrl)
    const path = `${baseUrl}${url.pathname}`
    const content = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const { status } = await fetch(path, {
      method: 'PATCH',
      headers: { ...headers, ...content },
      body: Buffer.from(half),
    })
    expect(status).to.equal(204)
    return path
  }

  it('goes on where it was when the connection was lost', async () => {
    let cuts = 0
    // What it forwards to is cut off once, in the middle of the bytes.
    const line = createServer((client) => {
      const server = connect(Number(new URL(world.api.baseUrl).port), '127.0.0.1')
      let passed = 0
      client.on('data', (data) => {
        passed += data.length
        if (cuts > 0 || passed < HALF) return server.write(data)
        cuts++
        server.destroy()
        return client.destroy()
      })
      server.on('data', (data) => client.write(data))
      for (const [end, other] of [
        [client, server],
        [server, client],
      ] as const)
        end.on('error', () => {}).on('close', () => other.destroy())
    })
    await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
    const { port } = line.address() as { port: number }
    const sent: number[] = []
    const onProgress = (bytes: number) => void sent.push(bytes)
    const baseUrl = `http://127.0.0.1:${port}`
    try {
      const made = await uploadFile({ ...account(), baseUrl }, file, destination(), { onProgress })
      expect(made).to.include({ sha256: SHA256, size_bytes: BYTES.length, filename: 'bytes.bin' })
    } finally {
      line.close()
    }
    expect(cuts).to.equal(1)
    expect(sent.at(-1)).to.equal(BYTES.length)
  })

  it('goes on in another process, from the URL that the first was told', async () => {
    const sent: number[] = []
    const url = await begun(BYTES.subarray(0, HALF))
    const onProgress = (bytes: number) => void sent.push(bytes)
    const stop = new AbortController()
    const made = await uploadFile(account(), file, destination(), { url, onProgress, signal: stop.signal })
    // Who stops afterwards stops something else.
    expect(getEventListeners(stop.signal, 'abort')).to.deep.equal([])
    expect(made.sha256).to.equal(SHA256)
    expect(Math.min(...sent)).to.be.at.least(HALF)
  })

  it('says that the service has other bytes than the file', async () => {
    const url = await begun(randomBytes(HALF))
    const error = await failureOf(uploadFile(account(), file, destination(), { url }))
    expect(error).to.be.instanceOf(UploadMismatch)
    expect((error as UploadMismatch).attachment.sha256).to.not.equal(SHA256)
  })

  it('throws the problem of what is refused', async () => {
    const error = await failureOf(uploadFile(account(), file, destination('nobodys')))
    expect(error).to.be.instanceOf(ApiProblem)
    expect((error as ApiProblem).status).to.equal(404)
    expect((error as ApiProblem).type).to.match(/^market:error:/)
  })

  it('tells where it is, and gives up what arrived when it is stopped', async () => {
    const stop = new AbortController()
    const urls: string[] = []
    const onUrl = (url: string) => {
      urls.push(url)
      stop.abort(new Error('stopped'))
    }
    const error = await failureOf(uploadFile(account(), file, destination(), { signal: stop.signal, onUrl }))
    expect(error).to.have.property('message', 'stopped')
    expect(urls[0]).to.include('/uploads/')
    expect(await reserved()).to.equal(0)
  })
})
