import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { expect } from 'chai'
import sharp from 'sharp'
import { makePreviews, makeText, type Source } from '../../../api/workspace/processing/internal/make.ts'
import { obtainBubblewrap } from '../../kit/api/workspace/processing/bubblewrap.ts'

const run = promisify(execFile)
const bubblewrap = await obtainBubblewrap()
const has = (program: string) => bubblewrap !== undefined && existsSync(`/usr/bin/${program}`)

// What is not installed here makes a file unsupported: either way the state says so.
describe('files that programs of the system read', () => {
  let directory: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'market-programs-'))
  })
  after(() => rm(directory, { recursive: true }))

  const sourceOf = async (name: string, mediaType: string, content?: string): Promise<Source> => {
    const path = join(directory, name)
    if (content !== undefined) await writeFile(path, content)
    return { path, mediaType, encoding: null, bubblewrap, isCut: false }
  }

  it('are a PDF, which has a text and a first page [spec w4:10]', async (context) => {
    const source = await sourceOf('page.pdf', 'application/pdf', pdfOf('Heron page'))
    const text = await makeText(source)
    const previews = await makePreviews(source)
    context.diagnostic(`text ${text.state}, preview ${previews.state}`)
    expect(text.state).to.equal(has('pdftotext') ? 'ready' : 'unsupported')
    if (text.state === 'ready') expect(text.text).to.include('Heron page')
    expect(previews.state).to.equal(has('pdftoppm') ? 'ready' : 'unsupported')
    expect((await makeText({ ...source, bubblewrap: undefined })).state).to.equal('unsupported')
  })

  it('are a HEIC, which has a picture where it is decoded [spec w4:9]', async (context) => {
    const source = await sourceOf('photo.heic', 'image/heic', 'nothing')
    if (!has('heif-convert') || !has('heif-enc')) {
      context.diagnostic('heif-convert, heif-enc or bubblewrap is not installed')
      expect((await makePreviews(source)).state).to.equal(has('heif-convert') ? 'failed' : 'unsupported')
      return
    }
    expect((await makePreviews(source)).state).to.equal('failed')
    const picture = join(directory, 'photo.png')
    await sharp({ create: { width: 600, height: 400, channels: 3, background: 'firebrick' } }).toFile(picture)
    await run('/usr/bin/heif-enc', [picture, '-o', source.path])
    const { state, previews } = await makePreviews(source)
    expect([state, previews.map(({ size }) => size)]).to.deep.equal(['ready', [256, 1_024]])
    const { format, width, height } = await sharp(previews[0]?.bytes).metadata()
    expect([format, width, height]).to.deep.equal(['webp', 256, 171])
    expect((await makePreviews({ ...source, bubblewrap: undefined })).state).to.equal('unsupported')
  })

  it('are a video, which has a frame, and no playlist that names another file [spec w4:11 attacks:4]', async (context) => {
    if (!has('ffmpeg')) {
      context.diagnostic('ffmpeg or bubblewrap is not installed')
      const made = await makePreviews(await sourceOf('none.mp4', 'video/mp4', 'nothing'))
      expect(made.state).to.equal('unsupported')
      return
    }
    const film = join(directory, 'film.mp4')
    const secret = join(directory, 'secret.ts')
    await run('/usr/bin/ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=64x36:duration=1', film])
    await run('/usr/bin/ffmpeg', ['-v', 'error', '-i', film, '-f', 'mpegts', secret])
    expect((await makePreviews(await sourceOf('film.mp4', 'video/mp4'))).state).to.equal('ready')
    const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`
    expect((await makePreviews(await sourceOf('list.mp4', 'video/mp4', playlist))).state).to.equal('failed')
  })
})

/** Returns a PDF of one page that says this. */
function pdfOf(text: string): string {
  const content = `BT /F1 24 Tf 20 100 Td (${text}) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  const bodies = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`)
  const header = '%PDF-1.4\n'
  const offsets = bodies.map((_, at) => header.length + bodies.slice(0, at).join('').length)
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = header.length + bodies.join('').length
  return `${header}${bodies.join('')}xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`
}
