import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { Upload, type UploadOptions } from 'tus-js-client'
import { startWorkspace, type TestAttachment, type Workspace } from '../../../kit/api/workspace/world.ts'

const MEGABYTE = 1_048_576
const BYTES = randomBytes(3 * MEGABYTE)
const SHA256 = createHash('sha256').update(BYTES).digest('hex')

describe('the usual client of tus', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const options = (more: Partial<UploadOptions> = {}): UploadOptions => ({
    endpoint: `${world.api.baseUrl}/uploads`,
    headers: { authorization: `Bearer ${world.ada.token}` },
    metadata: { org: world.slug, page: world.page.id, filename: 'bytes.bin', filetype: 'x/y', insert: 'none' },
    retryDelays: [0, 50, 100],
    ...more,
  })
  /** Runs an upload to its end, and returns what the last answer says that it became. */
  const complete = (bytes: Buffer | Readable, more: Partial<UploadOptions> = {}) =>
    new Promise<string | undefined>((resolve, reject) => {
      const onSuccess: UploadOptions['onSuccess'] = ({ lastResponse }) =>
        resolve(lastResponse.getHeader('Workspace-Attachment'))
      new Upload(bytes, options({ ...more, onError: reject, onSuccess })).start()
    })
  const expectWhole = async (ref: string | undefined) => {
    const { body } = await world.call('GET', `/attachments/${ref}`)
    const { sha256, size_bytes } = body as unknown as TestAttachment
    expect({ sha256, size_bytes }, JSON.stringify(body)).to.deep.equal({ sha256: SHA256, size_bytes: BYTES.length })
  }

  it('uploads at once, in parts, with the creation, and from a stream', async () => {
    await expectWhole(await complete(BYTES))
    await expectWhole(await complete(BYTES, { chunkSize: MEGABYTE - 1 }))
    await expectWhole(await complete(BYTES, { chunkSize: MEGABYTE, uploadDataDuringCreation: true }))
    const stream = Readable.from([BYTES.subarray(0, 100_000), BYTES.subarray(100_000)])
    await expectWhole(await complete(stream, { chunkSize: MEGABYTE, uploadSize: BYTES.length }))
    expect((await world.call('GET', '/usage')).body.reserved_bytes).to.equal(0)
  })

  it('uploads by POST alone, where its proxy knows no PATCH', async () => {
    await expectWhole(await complete(BYTES, { chunkSize: MEGABYTE, overridePatchMethod: true }))
  })

  it('goes on after it was stopped', async () => {
    const url = await new Promise<string>((resolve, reject) => {
      const upload: Upload = new Upload(
        BYTES,
        options({
          chunkSize: MEGABYTE,
          onError: reject,
          onChunkComplete: () => {
            void upload.abort()
            resolve(String(upload.url))
          },
        }),
      )
      upload.start()
    })
    await expectWhole(await complete(BYTES, { uploadUrl: url }))
    // The answer to the last part was missed: only HEAD is left to say what it became.
    await expectWhole(await complete(BYTES, { uploadUrl: url }))
  })

  it('gives up an upload [spec w3:5 w4:25]', async () => {
    const upload: Upload = await new Promise((resolve, reject) => {
      const made: Upload = new Upload(
        BYTES,
        options({ chunkSize: MEGABYTE, onError: reject, onChunkComplete: () => resolve(made) }),
      )
      made.start()
    })
    await upload.abort(true)
    expect((await world.call('GET', '/usage')).body.reserved_bytes).to.equal(0)
  })
})
