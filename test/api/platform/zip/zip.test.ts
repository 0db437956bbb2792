import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { type Archive, ArchiveRefused } from '../../../../api/platform/zip/archive.ts'
import { listEntries } from '../../../../api/platform/zip/zip.ts'

const LIMITS = { maxEntries: 1_000, maxDirectoryBytes: 1_048_576 }
const files: Zippable = {
  'a.md': strToU8('Forty-two. '.repeat(500)),
  'b/c.txt': [strToU8('as it is'), { level: 0 }],
  'd/': new Uint8Array(),
}

function archiveOf(bytes: Uint8Array, onRead: () => void = () => {}): Archive {
  return {
    sizeBytes: bytes.length,
    read: async function* (first, last) {
      onRead()
      yield bytes.subarray(first, last + 1)
    },
  }
}

async function contents(archive: Archive): Promise<Record<string, Buffer>> {
  const read: Record<string, Buffer> = {}
  for (const entry of await listEntries(archive, LIMITS)) read[entry.path] = await buffer(entry.read())
  return read
}

describe('reading a zip archive', () => {
  it('returns what was packed', async () => {
    const read = await contents(archiveOf(zipSync(files)))
    expect(Object.keys(read)).to.deep.equal(['a.md', 'b/c.txt', 'd/'])
    expect(read['a.md']?.toString()).to.equal('Forty-two. '.repeat(500))
    expect(read['b/c.txt']?.toString()).to.equal('as it is')
  })

  it('refuses what is damaged, wherever it is, or returns what was packed', async () => {
    const whole = zipSync(files)
    const packed = Object.values(await contents(archiveOf(whole))).map((bytes) => bytes.toString('latin1'))
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(20), async (changes, cutBytes) => {
        const bytes = Uint8Array.from(whole)
        for (const [at, byte] of changes) bytes[at] = byte
        try {
          const read = await contents(archiveOf(bytes.subarray(0, bytes.length - (cutBytes % 3 === 0 ? cutBytes : 0))))
          for (const content of Object.values(read)) expect(packed).to.include(content.toString('latin1'))
        } catch (error) {
          expect(error).to.be.instanceOf(ArchiveRefused)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('refuses entries that inflate to more than they announce, before the rest is inflated', async () => {
    const bomb = Buffer.from(zipSync({ 'a.bin': new Uint8Array(8 * 1_048_576) }))
    const directoryAt = bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    bomb.writeUInt32LE(1_000, directoryAt + 24)
    const [entry] = await listEntries(archiveOf(bomb), LIMITS)
    let bytes = 0
    const reading = async () => {
      for await (const chunk of entry?.read() ?? []) bytes += chunk.length
    }
    expect(await reading().catch((error) => error)).to.be.instanceOf(ArchiveRefused)
    expect(bytes).to.be.at.most(1_000)
  })

  it('asks the store for the list of a thousand files at once, and passes on how the store failed', async () => {
    const names = Array.from({ length: LIMITS.maxEntries }, (_, number) => [`${number}.md`, new Uint8Array()])
    let reads = 0
    const archive = archiveOf(zipSync(Object.fromEntries(names)), () => reads++)
    expect(await listEntries(archive, LIMITS)).to.have.length(LIMITS.maxEntries)
    expect(reads).to.be.at.most(3)
    const lost = new Error('the store is away')
    const read = async function* (): AsyncGenerator<Uint8Array> {
      if (reads > 0) throw lost
      yield new Uint8Array()
    }
    expect(await listEntries({ ...archive, read }, LIMITS).catch((error) => error)).to.equal(lost)
  })
})
