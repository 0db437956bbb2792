import { sha256 } from '@noble/hashes/sha2.js'
import { type DetailedError, type UploadOptions as TusOptions, Upload } from 'tus-js-client'
import { toHex } from '../protocol/encoding/bytes.ts'
import { VERSION } from './generated/operations.ts'
import { type CallAnswer, createMarket, type MarketOptions } from './market.ts'
import { ApiProblem } from './problem.ts'

/** Where a file goes. */
export interface UploadDestination {
  /** Slug of the org. */
  org: string
  /** Short id or UUID of the page. */
  page: string
  /** How the text of the page refers to it: by showing it unless told. */
  insert?: 'none' | 'embed' | 'link'
  /** The name of a file that has none, or another than its own. */
  filename?: string
}

/** How an upload goes on. */
export interface UploadOptions {
  onProgress?: (sentBytes: number, totalBytes: number) => void
  /** Ends the upload, and gives up what has arrived. */
  signal?: AbortSignal
  /** Told where the upload is, to go on there in another process. */
  onUrl?: (url: string) => void
  /** Where an earlier try of the same file stopped. Browsers keep it by themselves. */
  url?: string
}

/** The file as the service has it. */
export type UploadedFile = CallAnswer<'getAttachment'>['body']

/** The service has other bytes under the attachment than those of the file. */
export class UploadMismatch extends Error {
  readonly attachment: UploadedFile

  constructor(attachment: UploadedFile) {
    super(`the attachment ${attachment.id} has other bytes than the file`)
    this.name = 'UploadMismatch'
    this.attachment = attachment
  }
}

const RETRY_AFTER_MS = [0, 1_000, 3_000, 10_000, 30_000]
const PART_BYTES = 8 * 1024 * 1024

/**
 * Uploads a file of any size in parts (tus), to a page. After a lost connection it goes on where it was. In Node
 * `fs.openAsBlob(path)` is such a file. Returns the attachment, whose digest is the file's own. Throws an ApiProblem for what the
 * service refuses, an UploadMismatch for other bytes, and a TypeError once the network stays away.
 */
export async function uploadFile(
  account: MarketOptions,
  file: Blob,
  destination: UploadDestination,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  options.signal?.throwIfAborted()
  const ref = await send(account, file, destination, options)
  const params = { org: destination.org, ref }
  const { body } = await createMarket(account).call('getAttachment', { params })
  if (body.sha256 !== (await digestOf(file))) throw new UploadMismatch(body)
  return body
}

/** Returns the reference of the attachment that the upload became. */
async function send(
  { baseUrl, token, agent }: MarketOptions,
  file: Blob,
  destination: UploadDestination,
  { onProgress, signal, url, onUrl }: UploadOptions,
): Promise<string> {
  let resolve: (ref: string) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  // Promise.withResolvers is not there in Node 20.
  const promise = new Promise<string>((fulfil, refuse) => {
    resolve = fulfil
    reject = refuse
  })
  const filename = destination.filename ?? nameOf(file)
  let ref: string | undefined
  const task: Upload = new Upload(file, {
    endpoint: new URL('/uploads', baseUrl).href,
    ...(url ? { uploadUrl: url } : {}),
    headers: {
      'market-version': VERSION,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(agent ? { 'market-agent': agent } : {}),
    },
    chunkSize: PART_BYTES,
    retryDelays: RETRY_AFTER_MS,
    removeFingerprintOnSuccess: true,
    fileReader: { openFile: async () => partsOf(file) },
    // The same file may go to two pages: each upload is its own.
    fingerprint: async () => fingerprintOf(file, { ...destination, filename }),
    metadata: { ...destination, insert: destination.insert ?? 'embed', filename },
    ...(onProgress ? { onProgress } : {}),
    onUploadUrlAvailable: () => onUrl?.(String(task.url)),
    onAfterResponse: (_request, response) => {
      ref = response.getHeader('Workspace-Attachment') ?? ref
    },
    onSuccess: () => (ref ? resolve(ref) : reject(new Error('the service did not say which attachment it made'))),
    onError: (error) => reject(problemOf(error)),
  })
  const stop = () => void task.abort(true).finally(() => reject(signal?.reason))
  signal?.addEventListener('abort', stop, { once: true })
  if (!url) {
    const [earlier] = await task.findPreviousUploads()
    if (earlier) task.resumeFromPreviousUpload(earlier)
  }
  task.start()
  return promise.finally(() => signal?.removeEventListener('abort', stop))
}

/** Reads a file part by part, in Node as in browsers. */
function partsOf(file: Blob): Awaited<ReturnType<NonNullable<TusOptions['fileReader']>['openFile']>> {
  return {
    size: file.size,
    slice: async (start, end) => {
      const bytes = await bytesOf(file, start, end)
      // tus-js-client reads the length of what it sends from `size`, as a Blob has it.
      return { value: Object.assign(bytes, { size: bytes.length }), done: end >= file.size }
    },
    close: () => {},
  }
}

async function bytesOf(file: Blob, start: number, end: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(start, end).arrayBuffer())
}

async function digestOf(file: Blob): Promise<string> {
  const hash = sha256.create()
  for (let start = 0; start < file.size; start += PART_BYTES)
    hash.update(await bytesOf(file, start, start + PART_BYTES))
  return toHex(hash.digest())
}

function nameOf(file: Blob): string {
  return 'name' in file && typeof file.name === 'string' ? file.name : 'file'
}

function fingerprintOf(file: Blob, { org, page, filename }: UploadDestination): string {
  const changed = 'lastModified' in file ? file.lastModified : 0
  return ['upload', org, page, filename, file.size, changed].join('/')
}

function problemOf(error: Error | DetailedError): Error {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (!response) return new TypeError('the network failed', { cause: error })
  try {
    return new ApiProblem(response.getStatus(), JSON.parse(response.getBody()))
  } catch {
    return new ApiProblem(response.getStatus(), { detail: 'the answer is not JSON' })
  }
}
