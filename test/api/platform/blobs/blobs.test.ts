import { createHash, randomBytes } from 'node:crypto'
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3'
import { expect } from 'chai'
import { v7 as uuidv7 } from 'uuid'
import type { Settings } from '../../../../api/context.ts'
import { openS3 } from '../../../../api/platform/blobs/internal/s3.ts'
import { blobsOf, partialsOf } from '../../../../api/platform/blobs/open.ts'
import { blobKey, partialPath } from '../../../../api/platform/blobs/store.ts'
import { type S3Server, startS3 } from '../../../kit/api/platform/blobs/s3Server.ts'

const MEGABYTE = 1_048_576
const PART_BYTES = 8 * MEGABYTE
const BEGINNING = new Date(0)
const END = new Date(Date.now() + 86_400_000)

const part = (offset: number, lengthBytes: number) => ({ offset, lengthBytes, isWhole: false, confirm: () => {} })

/** The same promises, wherever blobs are. */
for (const kind of ['a directory', 'a bucket'] as const) {
  describe(`blobs in ${kind}`, () => {
    let settings: Pick<Settings, 'blobDirectory' | 's3'>
    let s3: S3Server
    before(async () => {
      s3 = await startS3()
      const blobDirectory = await mkdtemp(join(tmpdir(), 'market-blobs-'))
      settings = { blobDirectory, s3: kind === 'a bucket' ? s3.settings : undefined }
    })
    after(async () => {
      s3?.stop()
      await rm(settings.blobDirectory, { recursive: true, force: true })
    })

    const store = async (bytes: Uint8Array, id = uuidv7()) => {
      await blobsOf(settings).write(id, pieces(bytes))
      return id
    }
    const read = async (id: string, first?: number, last?: number) => {
      const range = first === undefined || last === undefined ? undefined : { first, last }
      const stream = await blobsOf(settings).read(id, range)
      return stream && Buffer.from(await new Response(stream).arrayBuffer())
    }
    const kept = async (time: Date) => (await Array.fromAsync(blobsOf(settings).keptBefore(time))).flat()
    const files = async () =>
      (await readdir(settings.blobDirectory, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)

    it('are read whole and in part, as they were written', async () => {
      const id = await store(Buffer.from('0123456789'))
      expect(await blobsOf(settings).sizeOf(id)).to.equal(10)
      expect(String(await read(id))).to.equal('0123456789')
      expect(String(await read(id, 3, 5))).to.equal('345')
      expect(String(await read(id, 8, 99))).to.equal('89')
      const empty = await store(Buffer.alloc(0))
      expect([
        await blobsOf(settings).sizeOf(empty),
        String(await read(empty)),
        String(await read(empty, 0, 9)),
      ]).to.deep.equal([...[0, '', '']])
    })

    it('may be larger than what is held of them at a time', async () => {
      const bytes = randomBytes(3 * PART_BYTES + 12_345)
      const id = await store(bytes)
      expect(sha256(await read(id))).to.equal(sha256(bytes))
      expect(await read(id, PART_BYTES - 2, PART_BYTES + 1)).to.deep.equal(
        bytes.subarray(PART_BYTES - 2, PART_BYTES + 2),
      )
      expect(s3.largestBodyBytes()).to.be.at.most(PART_BYTES)
    })

    it('leave nothing when they do not arrive whole, soon or late', async () => {
      for (const sizeBytes of [10, 2 * PART_BYTES + 1]) {
        const id = uuidv7()
        async function* cut() {
          yield* pieces(randomBytes(sizeBytes))
          throw new Error('the sender is gone')
        }
        const outcome = await blobsOf(settings)
          .write(id, cut())
          .catch((error: Error) => error.message)
        expect(outcome).to.equal('the sender is gone')
        expect(await read(id)).to.equal(undefined)
        expect(await files()).not.to.include(id)
      }
      expect(s3.uploads.size).to.equal(0)
    })

    it('are gone once they are removed, and may be removed again', async () => {
      const id = await store(Buffer.from('x'))
      for (let time = 0; time < 2; time++) await blobsOf(settings).remove(id)
      expect([await read(id), await blobsOf(settings).sizeOf(id)]).to.deep.equal([undefined, undefined])
      const partial = uuidv7()
      await partialsOf(settings).append(partial, part(0, 9), pieces(Buffer.from('half')))
      await blobsOf(settings).remove(partial)
      expect(await partialsOf(settings).sizeOf(partial)).to.equal(0)
    })

    it('are found by their age, and what is half-written is removed', async () => {
      const ids = await Promise.all([1, 2, 3].map((size) => store(randomBytes(size))))
      const partial = uuidv7()
      await partialsOf(settings).append(partial, part(0, 9), pieces(Buffer.from('half')))
      if (settings.s3) {
        s3.objects.set('somebody/else', { bytes: Buffer.alloc(1), modified: BEGINNING })
        const begin = () => new CreateMultipartUploadCommand({ Bucket: 'files', Key: blobKey(uuidv7()) })
        for (let count = 0; count < 3; count++) await openS3(s3.settings).send(begin())
      }
      expect(await kept(BEGINNING)).to.deep.equal([])
      expect(s3.uploads.size).to.equal(settings.s3 ? 3 : 0)
      const found = await kept(END)
      expect(found).to.include.members([...ids, partial])
      expect(found).not.to.include('somebody/else')
      expect(s3.uploads.size).to.equal(0)
    })

    it('arrive in parts, and are whole after whatever moment their process died at', async () => {
      const partials = partialsOf(settings)
      const id = uuidv7()
      expect(await partials.append(id, part(0, 6), pieces(Buffer.from('abcd')))).to.equal(4)
      const lie = () => {
        throw new Error('these are not the bytes')
      }
      const refused = partials.append(id, { ...part(4, 6), isWhole: true, confirm: lie }, pieces(Buffer.from('XX')))
      expect(await refused.catch(({ message }: Error) => message)).to.equal('these are not the bytes')
      await partials.cut(id, 4)
      expect(await partials.sizeOf(id)).to.equal(4)
      expect(await partials.append(id, part(4, 6), pieces(Buffer.from('ef')))).to.equal(6)
      for (let time = 0; time < 2; time++) await partials.complete(id)
      expect(await access(partialPath(settings.blobDirectory, id)).catch(() => 'gone')).to.equal('gone')
      // It died between the two steps of completion.
      if (!settings.s3) await writeFile(partialPath(settings.blobDirectory, id), 'abcdef')
      await partials.complete(id)
      expect([await partials.sizeOf(id), String(await read(id))]).to.deep.equal([6, 'abcdef'])
      const empty = uuidv7()
      await partials.complete(empty)
      expect(String(await read(empty))).to.equal('')
    })

    it('arrive in parts of any size, of which a process that died leaves what it recorded', async () => {
      const bytes = randomBytes(2 * PART_BYTES + 3 * MEGABYTE)
      const id = uuidv7()
      const partials = partialsOf(settings)
      let offset = 0
      for (const end of [3, PART_BYTES - 1, PART_BYTES + 5, bytes.length - MEGABYTE, bytes.length]) {
        const sent = { ...part(offset, bytes.length), isWhole: end % 2 === 1 }
        expect(await partials.append(id, sent, pieces(bytes.subarray(offset, end)))).to.equal(end)
        offset = end
        expect(await partials.sizeOf(id)).to.equal(end)
      }
      await partials.complete(id)
      expect(sha256(await read(id))).to.equal(sha256(bytes))
      await partials.complete(id)
      expect([...s3.objects.keys()].filter((key) => key.includes(id))).to.have.length(settings.s3 ? 1 : 0)
      expect(s3.uploads.size).to.equal(0)
    })

    // A directory says nothing of them.
    const inBucket = kind === 'a bucket' ? it : () => {}
    inBucket('arrive from their first byte where what the bucket says of them has another form', async () => {
      const [partials, bytes] = [partialsOf(settings), randomBytes(PART_BYTES + 5)]
      const told = { uploadId: 'an-upload', tags: ['a-tag'], sizeBytes: PART_BYTES + 1, restBytes: 1 }
      const wrong: unknown[] = [
        ...[null, [], {}, 7, { ...told, tags: 'a-tag' }, { ...told, tags: [1] }, { ...told, uploadId: {} }],
        ...[
          { ...told, uploadId: null },
          { ...told, sizeBytes: '9' },
          { ...told, sizeBytes: -1 },
          { ...told, restBytes: 9e15 },
        ],
      ]
      for (const text of ['', '{', ...wrong.map((each) => JSON.stringify(each))]) {
        const id = uuidv7()
        await partials.append(id, part(0, bytes.length), pieces(bytes.subarray(0, 9)))
        const [key = ''] = [...s3.objects.keys()].filter((each) => each.includes(id) && each.endsWith('parts.json'))
        s3.objects.set(key, { bytes: Buffer.from(text), modified: new Date() })
        expect(await partials.sizeOf(id), text).to.equal(0)
        expect(await partials.append(id, part(0, bytes.length), pieces(bytes))).to.equal(bytes.length)
        await partials.complete(id)
        expect(sha256(await read(id))).to.equal(sha256(bytes))
      }
    })

    inBucket('are not completed as nothing while the bucket refuses to say what has arrived', async () => {
      const [id, bytes, partials] = [uuidv7(), randomBytes(PART_BYTES + 5), partialsOf(settings)]
      await partials.append(id, part(0, bytes.length), pieces(bytes))
      s3.refuse(/parts\.json$/)
      const outcome = await partials.complete(id).catch((error) => error.$metadata?.httpStatusCode)
      s3.refuse(undefined)
      expect(outcome).to.equal(403)
      await partials.complete(id)
      expect(sha256(await read(id))).to.equal(sha256(bytes))
    })

    it('have no path that is not ours', async () => {
      for (const id of ['../../etc/passwd', '', 'ab/cd', uuidv7().toUpperCase()]) {
        const outcome = await blobsOf(settings)
          .write(id, pieces(Buffer.from('x')))
          .catch((error: Error) => error.message)
        expect(outcome).to.equal('a blob is kept under a UUID of ours')
      }
    })
  })
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let place = 0; place < bytes.length; place += MEGABYTE) yield bytes.subarray(place, place + MEGABYTE)
}

function sha256(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')
}
