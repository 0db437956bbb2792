import { sha256 } from '@noble/hashes/sha2.js'
import { type DetailedError, type UploadOptions as TusOptions, Upload } from 'tus-js-client'
import { toHex } from '../protocol/encoding/bytes.ts'
import { VERSION } from './generated/operations.ts'
import { type CallAnswer, createMarket, type MarketOptions } from './market.ts'
import { ApiProblem } from './problem.ts'

/** The destination of a file. */
export interface UploadDestination {
  /** Slug of the org. */
  org: string
  /** Short id or UUID of the page. */
  page: string
  /** How the text of the page refers to the file. Default: embed, which shows it. */
  insert?: 'none' | 'embed' | 'link'
  /** The name to give the file. Default: its own, or `file`. */
  filename?: string
}

/** Options of an upload. */
export interface UploadOptions {
  onProgress?: (sentBytes: number, totalBytes: number) => void
  /** Ends the upload, and discards the bytes that have arrived. */
  signal?: AbortSignal
  /** Called with the URL of the upload, to continue it in another process. */
  onUrl?: (url: string) => void
  /** The URL of an earlier upload of the same file, to continue it. Browsers remember it by themselves. */
  url?: string
}

/** The file that the service stored. */
export type UploadedFile = CallAnswer<'getAttachment'>['body']

/** The bytes that the service stored for the attachment are not the bytes of the file. */
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
 * Uploads a file of any size to a page, in parts (tus). Continues where it stopped after a lost connection.
 * In Node `fs.openAsBlob(path)` is such a file. Returns the attachment, after comparing its digest with the
 * file's. Throws an ApiProblem for a refusal by the service, an UploadMismatch for other bytes, and a
 * TypeError if the network still fails after retries.
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
  // Node 20 has no Promise.withResolvers.
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
      // tus-js-client reads the length of each part from `size`, as on a Blob.
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
