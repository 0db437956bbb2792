import { Server } from '@tus/server'
import { accountUrn } from '../../../actor.ts'
import { Problem } from '../../../errors.ts'
import { partialsOf } from '../../../platform/blobs/open.ts'
import type { RouteDefinition } from '../../../platform/http/route/route.ts'
import { answerOnce, findAnswer, type WireAnswer } from '../../../platform/http/serve/idempotency.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import type { ProtocolCall } from '../../../platform/http/serve/serveProtocol.ts'
import type { IdempotentCall } from '../../../platform/http/serve/services.ts'
import { UPLOADS_PATH } from '../routes.ts'
import { beginUpload, type NewUpload } from './begin.ts'
import { readChecksum } from './checksum.ts'
import { failureOf, refusalOf } from './failures.ts'
import { requireUploader, type UploadRow } from './find.ts'
import { UploadLease } from './lease.ts'
import { current, serving, type UploadRequest, UploadStore } from './store.ts'

const CHUNK = 'application/offset+octet-stream'
// Once another request wants the upload, the sender has given up the present request. Zero would mean the
// library's default.
const DRAIN_MS = 1
const TOLD = ['Location', 'Upload-Offset', 'Upload-Length', 'Upload-Metadata']

const server = new Server({
  path: UPLOADS_PATH,
  relativeLocation: true,
  datastore: new UploadStore(),
  maxSize: () => current().settings.rules.maxUploadBytes,
  locker: () => ({ newLock: () => current().lease }),
  lockDrainTimeout: DRAIN_MS,
  namingFunction: () => current().id,
  getFileIdFromRequest: () => current().id,
  onResponseError: (_request, error) => {
    current().failure = error
    return undefined
  },
})

/**
 * Answers a request of tus 1.0.0 (https://tus.io/protocols/resumable-upload) for the upload with this id. The
 * library speaks the protocol, and its store acts for the caller of the request that it serves. Throws a
 * Problem for what it refuses.
 */
export async function answerTus(call: ProtocolCall<RouteDefinition>, id: string): Promise<WireAnswer> {
  const { request } = call
  const { db } = call.services
  const isNew = request.method === 'POST'
  requireChunk(request)
  if (!isNew) await requireUploader(db, call.actor, id)
  const idempotent = isNew ? idempotentCallOf(call) : undefined
  const earlier = idempotent && (await findBegun(call, idempotent))
  if (earlier) return earlier
  const createdBy = accountUrn(call.actor)
  const lease = new UploadLease(db, { id, createdBy, isNew })
  const checksum = readChecksum(request.headers.get('upload-checksum'))
  const served: UploadRequest = {
    ...call,
    ...{ id, db, createdBy, lease, checksum },
    begin: (upload) => beginOnce(call, idempotent, upload),
  }
  const response = await serving.run(served, () => server.handleWeb(asTus(call)))
  const { row, failure } = served
  if (failure instanceof Replayed) return failure.answer
  if (failure !== undefined) throw failureOf(failure)
  if (response.status >= 400) throw refusalOf(response.status, await response.text())
  return { status: response.status, headers: { ...told(response), ...stateOf(row) }, body: null }
}

/** Throws 415 for bytes that are not announced as a part of an upload. */
function requireChunk({ method, headers }: Pick<Request, 'method' | 'headers'>): void {
  const hasBody = Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding')
  if (isChunk(headers) || (method !== 'PATCH' && !hasBody)) return
  throw new Problem(httpProblems.unsupportedMediaType, { detail: `Send bytes with Content-Type: ${CHUNK}.` })
}

function isChunk(headers: Headers): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  return type.trim().toLowerCase() === CHUNK
}

/**
 * Returns the request in the form that the library reads, without its body: the store takes the bytes from
 * the connection, so that none passes through streams of the web. A GET is answered like a HEAD: tus has
 * none.
 */
function asTus({ request: { method, url, headers } }: ProtocolCall<RouteDefinition>): Request {
  return new Request(url, { method: method === 'GET' ? 'HEAD' : method, headers: plain(headers) })
}

/**
 * Returns headers in the form that the library reads: without parameters of a media type, and without spaces
 * around a comma.
 */
function plain(sent: Headers): Headers {
  const headers = new Headers(sent)
  if (isChunk(sent)) headers.set('content-type', CHUNK)
  const metadata = headers.get('upload-metadata')
  if (metadata !== null)
    headers.set(
      'upload-metadata',
      metadata
        .trim()
        .replace(/\s*,\s*/g, ',')
        .replace(/\s+/g, ' '),
    )
  return headers
}

function told({ headers }: Response): Record<string, string> {
  return Object.fromEntries(TOLD.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])))
}

function stateOf(row: UploadRow | undefined): Record<string, string> {
  if (!row) return {}
  return row.attachment_id === null
    ? { 'Upload-Expires': row.expires_at.toUTCString() }
    : { 'Workspace-Attachment': row.attachment_id }
}

type Call = ProtocolCall<RouteDefinition>

/** Thrown if an upload was begun before with the same Idempotency-Key. Has the answer to that call. */
class Replayed extends Error {
  readonly answer: WireAnswer

  constructor(answer: WireAnswer) {
    super('the upload was begun before')
    this.answer = answer
  }
}

/**
 * Returns the answer to an earlier creation with the same Idempotency-Key, with the number of bytes that have
 * arrived now. Undefined if there was none.
 */
async function findBegun(call: Call, idempotent: IdempotentCall): Promise<WireAnswer | undefined> {
  const answer = await findAnswer(call.services.db, idempotent)
  const id = answer?.headers.Location?.slice(UPLOADS_PATH.length + 1)
  if (!answer || id === undefined) return undefined
  const offset = await partialsOf(call.settings).sizeOf(id)
  return { ...answer, headers: { ...answer.headers, 'Upload-Offset': String(offset) } }
}

/**
 * Begins an upload, only once for its Idempotency-Key if it has one. Throws the errors of `beginUpload`, and
 * Replayed.
 */
async function beginOnce(
  { settings, actor, write }: Call,
  idempotent: IdempotentCall | undefined,
  upload: NewUpload,
): Promise<UploadRow> {
  if (!idempotent) return write((tx) => beginUpload(tx, settings.rules, actor, upload))
  return write(async (tx) => {
    let row: UploadRow | undefined
    const answer = await answerOnce(tx, idempotent, async () => {
      row = await beginUpload(tx, settings.rules, actor, upload)
      const headers = { Location: `${UPLOADS_PATH}/${upload.id}` }
      return { answer: { status: 201, headers, body: null }, isSecret: false }
    })
    if (row) return row
    throw new Replayed(answer)
  })
}

/** Returns the idempotent call of a creation. Its content is the headers that describe the upload. */
function idempotentCallOf({ idempotentCall, request: { headers } }: Call): IdempotentCall | undefined {
  return idempotentCall(JSON.stringify(['upload-length', 'upload-metadata'].map((name) => headers.get(name))))
}
