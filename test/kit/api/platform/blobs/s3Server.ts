import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from '../../../../../api/context.ts'

// The part of Amazon's S3 API that the service uses, by its reference. Objects are kept in memory.

const BUCKET = 'files'
const MIN_PART_BYTES = 5_242_880
// Small, so that lists have several pages.
const PAGE = 2

interface PartialObject {
  key: string
  begun: Date
  parts: Map<number, Buffer>
}

/** A service that keeps one bucket. */
export interface S3Server {
  settings: S3Settings
  objects: Map<string, { bytes: Buffer; modified: Date }>
  uploads: Map<string, PartialObject>
  /** The largest body that it was sent. */
  largestBodyBytes: () => number
  /** From now on every connection of a body is cut, until it is called again with false. */
  cutBodies: (isCutting: boolean) => void
  /** From now on requests for the keys of this pattern are refused, until it is called again with none. */
  refuse: (keys: RegExp | undefined) => void
  stop: () => void
}

interface Call {
  request: IncomingMessage
  response: ServerResponse
  key: string
  query: URLSearchParams
  body: Buffer
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

/** Starts the service on loopback. */
export async function startS3(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const uploads: S3Server['uploads'] = new Map()
  const [accessKeyId, secretAccessKey] = ['market', randomUUID()]
  let largestBytes = 0
  let isCutting = false
  const store: Store = { objects, uploads, refused: undefined }
  const server = createServer(async (request, response) => {
    try {
      if (isCutting && request.method === 'PUT') return void request.socket.destroy()
      requireSignature(request, accessKeyId)
      const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost')
      const [, bucket, ...key] = decodeURIComponent(pathname).split('/')
      if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket')
      const body = await buffer(request)
      largestBytes = Math.max(largestBytes, body.length)
      answer(store, { request, response, key: key.join('/'), query, body })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      response.writeHead(error.status, { 'content-type': 'application/xml' })
      response.end(request.method === 'HEAD' ? undefined : xml('Error', `<Code>${error.message}</Code>`))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accessKeyId, secretAccessKey }
  return {
    settings: { bucket: BUCKET, endpoint, region: 'eu-central-1', isPathStyle: true, credentials },
    ...{ objects, uploads },
    largestBodyBytes: () => largestBytes,
    cutBodies: (isOn) => {
      isCutting = isOn
    },
    refuse: (keys) => {
      store.refused = keys
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Refuses a request that is not signed by AWS4-HMAC-SHA256, or whose body is in chunks of Amazon's own. */
function requireSignature({ headers }: IncomingMessage, accessKeyId: string): void {
  const signed = new RegExp(
    `^AWS4-HMAC-SHA256 Credential=${accessKeyId}/\\d{8}/[a-z0-9-]+/s3/aws4_request, .*Signature=`,
  )
  if (!signed.test(headers.authorization ?? '') || !headers['x-amz-date']) throw new Refusal(403, 'AccessDenied')
  if (headers['content-encoding']?.includes('aws-chunked')) throw new Refusal(501, 'NotImplemented')
}

type Store = Pick<S3Server, 'objects' | 'uploads'> & { refused: RegExp | undefined }

function answer(store: Store, call: Call): void {
  const { request, query } = call
  if (store.refused?.test(call.key)) throw new Refusal(403, 'AccessDenied')
  if (query.has('uploadId') || query.has('uploads')) answerUpload(store, call)
  else if (request.method === 'PUT') put(store, call, call.body)
  else if (request.method === 'DELETE') {
    store.objects.delete(call.key)
    call.response.writeHead(204).end()
  } else if (query.get('list-type') === '2') list(store, call)
  else get(store, call)
}

function put({ objects }: Store, { response, key }: Pick<Call, 'response' | 'key'>, bytes: Buffer): void {
  objects.set(key, { bytes, modified: new Date() })
  response.writeHead(200, { etag: tagOf(bytes) }).end()
}

function get({ objects }: Store, { request, response, key }: Call): void {
  const object = objects.get(key)
  if (!object) throw new Refusal(404, request.method === 'HEAD' ? 'NotFound' : 'NoSuchKey')
  const { bytes } = object
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (first !== undefined && Number(first) >= bytes.length) throw new Refusal(416, 'InvalidRange')
  const part = first === undefined ? bytes : bytes.subarray(Number(first), Number(last) + 1)
  response.writeHead(first === undefined ? 200 : 206, { 'content-length': part.length, etag: tagOf(bytes) })
  response.end(request.method === 'HEAD' ? undefined : part)
}

function list({ objects }: Store, { response, query }: Call): void {
  const from = query.get('continuation-token') ?? ''
  const prefix = query.get('prefix') ?? ''
  const keys = [...objects.keys()].toSorted().filter((key) => key > from && key.startsWith(prefix))
  const page = keys.slice(0, PAGE)
  const contents = page.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.modified.toISOString()}</LastModified></Contents>`,
  )
  const isTruncated = keys.length > page.length
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  response.end(xml('ListBucketResult', `<IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}`))
}

function answerUpload(store: Store, call: Call): void {
  const { request, response, key, query, body } = call
  if (query.has('uploads')) {
    if (request.method === 'GET') listUploads(store, call)
    else begin(store, call)
    return
  }
  const id = query.get('uploadId') ?? ''
  const upload = store.uploads.get(id)
  if (upload?.key !== key) throw new Refusal(404, 'NoSuchUpload')
  if (request.method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    response.writeHead(200, { etag: tagOf(body) }).end()
  } else if (request.method === 'DELETE') {
    store.uploads.delete(id)
    response.writeHead(204).end()
  } else complete(store, call, id, upload)
}

function begin({ uploads }: Store, { response, key }: Call): void {
  const id = randomUUID()
  uploads.set(id, { key, begun: new Date(), parts: new Map() })
  response.end(xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`))
}

function complete({ objects, uploads }: Store, { response, body }: Call, id: string, { key, parts }: PartialObject) {
  const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number))
  const bytes = numbers.map((number) => parts.get(number) ?? Buffer.alloc(0))
  if (bytes.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES)) throw new Refusal(400, 'EntityTooSmall')
  objects.set(key, { bytes: Buffer.concat(bytes), modified: new Date() })
  uploads.delete(id)
  response.end(xml('CompleteMultipartUploadResult', `<Key>${key}</Key>`))
}

function listUploads({ uploads }: Store, { response, query }: Call): void {
  const after = query.get('upload-id-marker') ?? ''
  const ids = [...uploads.keys()].toSorted().filter((id) => id > after)
  const page = ids.slice(0, PAGE)
  const found = page.map((id) => {
    const { key, begun } = uploads.get(id) ?? { key: '', begun: new Date() }
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`
  })
  const last = page.at(-1) ?? ''
  const next = `<NextKeyMarker>${uploads.get(last)?.key}</NextKeyMarker><NextUploadIdMarker>${last}</NextUploadIdMarker>`
  const isTruncated = ids.length > page.length
  response.end(
    xml(
      'ListMultipartUploadsResult',
      `<IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? next : ''}${found.join('')}`,
    ),
  )
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

function xml(name: string, inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${name}>`
}
