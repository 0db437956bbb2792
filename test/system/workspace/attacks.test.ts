import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import sharp from 'sharp'
import { memoryOf } from '../../../api/platform/isolation/internal/memory.ts'
import { type Limits, type Program, Refused, runIsolated } from '../../../api/platform/isolation/isolate.ts'
import { typeReader } from '../../../api/workspace/attachments/mediaType.ts'
import { makePreviews, makeText, type Source } from '../../../api/workspace/processing/internal/make.ts'
import { paragraph, pngOf, wordDocument, zipOf } from '../../kit/api/workspace/processing/archive.ts'
import { obtainBubblewrap } from '../../kit/api/workspace/processing/bubblewrap.ts'

const MEGABYTE = 1_000_000
const SECRET = 'the secret of the house'
const LIMITS: Limits = { timeoutMs: 60_000, memoryBytes: 700 * MEGABYTE, outputBytes: MEGABYTE, overflow: 'refuse' }
const bubblewrap = await obtainBubblewrap()
const bombs = zipBombs()

// Each attack, in a child alone and in bubblewrap.
for (const [where, sandbox] of [
  ['a child with an empty environment', undefined],
  ['bubblewrap', bubblewrap],
] as const) {
  describe(`a hostile file in ${where}`, {
    skip: where === 'bubblewrap' && !sandbox ? 'bubblewrap is not installed, and could not be fetched' : false,
  }, () => {
    let directory: string
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'market-attacks-'))
      await writeFile(join(directory, 'secret.txt'), SECRET)
      await writeFile(join(directory, 'secret.png'), pngOf(64, 64))
    })
    after(() => rm(directory, { recursive: true }))

    const sourceOf = async (content: string | Buffer): Promise<Source> => {
      const path = join(directory, 'file')
      const bytes = Buffer.from(content)
      await writeFile(path, bytes)
      const { add, type } = typeReader()
      add(bytes)
      return {
        path,
        ...type(),
        bubblewrap: sandbox,
        isCut: false,
      }
    }
    const node = (code: string): Program => ({
      command: () => [process.execPath, '-e', code],
      reads: [process.execPath],
    })
    const refusal = async (program: Program, limits: Partial<Limits>) => {
      const error = await runIsolated(sandbox, program, join(directory, 'secret.txt'), { ...LIMITS, ...limits }).catch(
        (reason: unknown) => reason,
      )
      return error instanceof Refused ? error.reason : error
    }

    it('is refused as a pixel bomb [spec attacks:5]', async (context) => {
      const bomb = pngOf(30_000, 30_000)
      const made = await watched(context, `${bomb.length} bytes, 900 million pixels`, async () =>
        makePreviews(await sourceOf(bomb)),
      )
      expect(made).to.deep.equal({ state: 'failed', previews: [] })
    })

    it('is refused as a zip bomb, also one that lies about its size [spec attacks:6] [risk API4]', async (context) => {
      for (const [kind, bytes] of Object.entries(bombs)) {
        const made = await watched(context, `${kind}, ${bytes.length} bytes, 200 MB of text`, async () =>
          makeText(await sourceOf(bytes)),
        )
        expect(made.state, kind).to.equal('failed')
      }
    })

    it('reads no other file: SVG, under any name, and XML entities [spec attacks:2]', async () => {
      const svg = (href: string) =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="${href}" width="64" height="64"/></svg>`
      const linked = svg(`file://${join(directory, 'secret.png')}`)
      expect((await makePreviews(await sourceOf(linked))).state).to.equal('unsupported')
      for (const mediaType of ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/tiff']) {
        const made = await makePreviews({ ...(await sourceOf(linked)), mediaType })
        expect(made.state, mediaType).to.equal('failed')
      }
      const doctype = `<!DOCTYPE x [<!ENTITY e SYSTEM "file://${join(directory, 'secret.txt')}">]>`
      const { text } = await makeText(await sourceOf(wordDocument(paragraph('before &e; after'), doctype)))
      expect(text).to.not.include(SECRET)
    })

    it('is no bomb of XML entities [spec attacks:3]', async (context) => {
      const levels = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
      const doctype = `<!DOCTYPE x [<!ENTITY e0 "lol">${levels.join('')}]>`
      const made = await watched(context, 'a billion laughs', async () =>
        makeText(await sourceOf(wordDocument(paragraph('&e9;'), doctype))),
      )
      expect(made.text.length).to.be.below(MEGABYTE)
    })

    it('is one thing at most where it is two [spec attacks:1]', async () => {
      const script = '/*<script>alert(1)</script>*/'
      expect((await makePreviews(await sourceOf(`GIF89a${script}`))).state).to.equal('failed')
      const real = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .gif()
        .toBuffer()
      const both = Buffer.concat([real, Buffer.from(script), zipOf({ 'word/document.xml': '<x/>' })])
      const made = await makePreviews(await sourceOf(both))
      expect(made.state).to.equal('ready')
      for (const { bytes } of made.previews) expect(bytes.includes('script')).to.equal(false)
    })

    it('ends at its time, its memory and its output [spec attacks:7]', async () => {
      expect(await refusal(node('for (;;) {}'), { timeoutMs: 1_000 })).to.equal('time')
      const greedy = 'const all = []; for (;;) all.push(Buffer.alloc(16e6, 1))'
      expect(await refusal(node(greedy), { memoryBytes: 200 * MEGABYTE })).to.equal('memory')
      const talkative = 'for (;;) require("fs").writeSync(1, "x".repeat(65536))'
      expect(await refusal(node(talkative), {})).to.equal('output')
      expect(await refusal(node('process.exit(1)'), {})).to.equal('failed')
      const cut = await runIsolated(sandbox, node(talkative), join(directory, 'secret.txt'), {
        ...LIMITS,
        overflow: 'cut',
      })
      expect([cut.isCut, cut.bytes.length]).to.deep.equal([true, MEGABYTE])
    })

    it('finds no environment, and in bubblewrap no network and no house', async () => {
      const look = `const fs = require('fs'), os = require('os'); console.log(JSON.stringify({
        env: Object.keys(process.env), net: Object.keys(os.networkInterfaces()).filter((name) => name !== 'lo'),
        house: fs.existsSync(${JSON.stringify(join(directory, 'secret.png'))}) }))`
      const { bytes } = await runIsolated(sandbox, node(look), join(directory, 'secret.txt'), LIMITS)
      const seen = JSON.parse(bytes.toString())
      if (sandbox) expect(seen).to.deep.equal({ env: ['PATH', 'PWD'], net: [], house: false })
      else expect(seen.env).to.deep.equal([])
    })
  })
}

/**
 * Prints how long something took, and the memory of the children meanwhile, which must stay below the limit.
 */
async function watched<Made>(context: TestContext, what: string, make: () => Promise<Made>): Promise<Made> {
  const started = performance.now()
  const watching = new AbortController()
  let peak = 0
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const { rss } = process.memoryUsage()
      peak = Math.max(peak, (await memoryOf(process.pid)) - rss)
      await delay(20)
    }
  })()
  try {
    return await make()
  } finally {
    watching.abort()
    await watch
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    context.diagnostic(`${what}: refused after ${seconds} s with ${Math.round(peak / MEGABYTE)} MB`)
    expect(peak).to.be.below(800 * MEGABYTE)
  }
}

/** Two documents of 200 MB of text, of which one says that it has a thousand bytes. */
function zipBombs(): { honest: Buffer; lying: Buffer } {
  const honest = wordDocument(paragraph('a'.repeat(200 * MEGABYTE)))
  const lying = Buffer.from(honest)
  // The sizes before packing, in both of its headers.
  for (let at = 0; at < lying.length - 4; at++) {
    const word = lying.readUInt32LE(at)
    if (word > 199 * MEGABYTE && word < 201 * MEGABYTE) lying.writeUInt32LE(1_000, at)
  }
  return { honest, lying }
}
