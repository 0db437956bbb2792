import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { Upload } from 'tus-js-client'
import { type Stack, startStack } from '../../kit/stack/stack.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting.ts'

const MEGABYTE = 1_048_576
// ./market test deep interrupts a hundred uploads, and sends a gigabyte.
const { UPLOADS, KILLS, LONG_BYTES } = process.env.MARKET_TEST_DEEP
  ? { UPLOADS: 100, KILLS: 5, LONG_BYTES: 1_024 * MEGABYTE }
  : { UPLOADS: 20, KILLS: 2, LONG_BYTES: 64 * MEGABYTE }
const INTERRUPTIONS = 3
const PIECE_BYTES = 65_536
const RETRY_MS = 200
const TUS = { 'tus-resumable': '1.0.0' }

describe('uploads that are interrupted', { timeout: 600_000 }, () => {
  let stack: Stack
  let authorization: Record<string, string>
  let placed: Record<string, string>
  before(async () => {
    stack = await startStack({ processes: ['api'], miningIntervalMs: 0 })
    authorization = { authorization: `Bearer ${stack.credentials.human_token}` }
    await json('POST', '/v1/me/orgs', { slug: 'works', display_name: 'Works' })
    const { id: space } = await json('POST', '/orgs/works/spaces', { name: 'Plans' })
    const { id: page } = await json('POST', '/orgs/works/pages', { space, title: 'Plan' })
    placed = { org: 'works', page: String(page), insert: 'none' }
  })
  after(() => stack.stop())

  const json = async (method: string, path: string, body?: object) => {
    const response = await fetch(stack.baseUrl + path, {
      method,
      headers: { ...authorization, 'market-version': '2026-05-17', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(response.ok, `${method} ${path}: ${response.status}`).to.equal(true)
    return (await response.json()) as Record<string, unknown>
  }
  const begin = async (filename: string, lengthBytes: number) => {
    const metadata = Object.entries({ ...placed, filename }).map(
      ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
    )
    const headers = { 'upload-length': String(lengthBytes), 'upload-metadata': metadata.join(',') }
    const response = await fetch(`${stack.baseUrl}/uploads`, {
      method: 'POST',
      headers: { ...authorization, ...TUS, ...headers },
    })
    return stack.baseUrl + response.headers.get('location')
  }
  /** Asks, as often as it takes, while the process may be dead, how much has arrived and what it became. */
  const ask = async (url: string, signal: AbortSignal): Promise<{ offset: number; attachment: string | null }> => {
    for (;;) {
      // Otherwise a test that has failed would go on asking for ever.
      signal.throwIfAborted()
      const response = await fetch(url, { method: 'HEAD', headers: { ...authorization, ...TUS } }).catch(
        () => undefined,
      )
      if (response?.status === 200) {
        const { headers } = response
        return { offset: Number(headers.get('upload-offset')), attachment: headers.get('workspace-attachment') }
      }
      expect(response?.status ?? 503).to.be.oneOf([423, 503])
      await delay(RETRY_MS)
    }
  }
  /**
   * Downloads an attachment, and returns the hash of what came. If the API took all of it, it knows that
   * hash.
   */
  const hashed = async (ref: string) => {
    const response = await fetch(`${stack.baseUrl}/orgs/works/attachments/${ref}/download`, { headers: authorization })
    const hash = createHash('sha256')
    for await (const chunk of response.body ?? []) hash.update(chunk)
    const { filename, sha256, state } = await json('GET', `/orgs/works/attachments/${ref}`)
    const read = hash.digest('hex')
    expect([sha256, state]).to.deep.equal(state === 'hashing' ? [undefined, 'hashing'] : [read, 'active'])
    return { filename, sha256: read }
  }
  /**
   * Sends the rest from an offset, and breaks off after so many bytes. Resolves once the connection is gone.
   */
  const send = (url: string, offset: number, rest: Buffer, breakAfterBytes: number) =>
    new Promise<void>((resolve) => {
      const headers = { ...authorization, ...TUS, 'content-type': 'application/offset+octet-stream' }
      const sender = request(url, {
        method: 'PATCH',
        headers: { ...headers, 'upload-offset': offset, 'content-length': rest.length },
      })
      sender.on('response', (response) => response.resume()).on('error', () => {})
      sender.on('close', resolve)
      const breakOff = () => (randomInt(2) === 0 ? sender.socket?.resetAndDestroy() : sender.destroy())
      const write = async () => {
        for (let sent = 0; sent < Math.min(rest.length, breakAfterBytes); sent += PIECE_BYTES) {
          sender.write(rest.subarray(sent, sent + PIECE_BYTES))
          await delay(randomInt(10))
        }
        if (breakAfterBytes < rest.length) breakOff()
        else sender.end()
      }
      void write()
    })
  const uploadInterrupted = async (url: string, bytes: Buffer, signal: AbortSignal): Promise<string> => {
    for (let breaks = 0; ; breaks++) {
      const { offset, attachment } = await ask(url, signal)
      if (attachment !== null) return attachment
      const rest = bytes.subarray(offset)
      const isLast = breaks >= INTERRUPTIONS || rest.length === 0
      await send(url, offset, rest, isLast ? Number.POSITIVE_INFINITY : randomInt(rest.length))
    }
  }

  it('are whole to the byte, and hold no room, wherever the client and the process end', async ({ signal }) => {
    const files = Array.from({ length: UPLOADS }, () => randomBytes(randomInt(MEGABYTE, 3 * MEGABYTE)))
    // Before anything is killed: an answer that is lost then would leave an upload that nobody knows.
    const begun = await Promise.all(
      files.map(async (bytes, index) => ({ bytes, url: await begin(`${index}.bin`, bytes.length) })),
    )
    const uploads = Promise.all(begun.map(({ url, bytes }) => uploadInterrupted(url, bytes, signal)))
    for (let kill = 0; kill < KILLS; kill++) {
      await delay(500 + randomInt(500))
      await stack.kill('api')
      await stack.restart('api')
    }
    const attachments = await uploads
    for (const [index, ref] of attachments.entries()) {
      const { sha256, filename } = await hashed(ref)
      const expected = createHash('sha256')
        .update(files[index] ?? '')
        .digest('hex')
      expect({ sha256, filename }).to.deep.equal({ sha256: expected, filename: `${index}.bin` })
    }
    const sizeBytes = files.reduce((sum, { length }) => sum + length, 0)
    expect(await json('GET', '/orgs/works/usage')).to.deep.include({ used_bytes: sizeBytes, reserved_bytes: 0 })
  })

  describe('of a long file', () => {
    let proxy: CuttingProxy
    let dir: string
    before(async () => {
      proxy = await startCuttingProxy(stack.baseUrl, [LONG_BYTES * 0.2, LONG_BYTES * 0.5])
      dir = await mkdtemp(join(tmpdir(), 'market-upload-'))
    })
    after(async () => {
      proxy.stop()
      await rm(dir, { recursive: true, force: true })
    })

    it('go through two lost connections and a killed API, by the usual client', async () => {
      const file = join(dir, 'film.bin')
      const expected = await fill(file)
      const { used_bytes } = await json('GET', '/orgs/works/usage')
      let isKilled = false
      const attachment = await new Promise<string>((resolve, reject) => {
        new Upload(createReadStream(file), {
          endpoint: `${proxy.baseUrl}/uploads`,
          headers: authorization,
          metadata: { ...placed, filename: 'film.bin' },
          retryDelays: Array.from({ length: 100 }, () => RETRY_MS),
          onProgress: (sentBytes) => {
            if (sentBytes < LONG_BYTES * 0.7 || isKilled) return
            isKilled = true
            void stack.kill('api').then(() => stack.restart('api'))
          },
          onError: reject,
          onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('Workspace-Attachment') ?? ''),
        }).start()
      })
      const { sha256 } = await hashed(attachment)
      expect({ sha256, cuts: proxy.cuts(), isKilled }).to.deep.equal({ sha256: expected, cuts: 2, isKilled: true })
      const used = Number(used_bytes) + LONG_BYTES
      expect(await json('GET', '/orgs/works/usage')).to.deep.include({ used_bytes: used, reserved_bytes: 0 })
    })
  })
})

/** Fills a file with bytes of which no two megabytes are the same, and returns its SHA-256. */
async function fill(path: string): Promise<string> {
  const hash = createHash('sha256')
  const piece = randomBytes(MEGABYTE)
  const file = await open(path, 'w')
  try {
    for (let place = 0; place < LONG_BYTES; place += MEGABYTE) {
      piece.writeUInt32BE(place)
      hash.update(piece)
      await file.write(piece)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}
