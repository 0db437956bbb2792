import { partialsOf } from '../../platform/blobs/open.ts'
import type { RouteDefinition } from '../../platform/http/route/route.ts'
import { answerOnce, findAnswer, type IdempotentCall, type WireAnswer } from '../../platform/http/serve/idempotency.ts'
import type { ProtocolCall } from '../../platform/http/serve/serveProtocol.ts'
import { beginUpload, type NewUpload } from './begin.ts'
import type { UploadRow } from './find.ts'
import { UPLOADS_PATH } from './routes.ts'

type Call = ProtocolCall<RouteDefinition>

/** Thrown if an upload was begun before with the same Idempotency-Key. Has the answer to that call. */
export class Replayed extends Error {
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
export async function findBegun(call: Call, idempotent: IdempotentCall): Promise<WireAnswer | undefined> {
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
export async function beginOnce(
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
export function idempotentCallOf({ idempotentCall, request: { headers } }: Call): IdempotentCall | undefined {
  return idempotentCall(JSON.stringify(['upload-length', 'upload-metadata'].map((name) => headers.get(name))))
}
