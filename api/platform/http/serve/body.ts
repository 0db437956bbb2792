import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { HttpBindings } from '@hono/node-server'
import { Problem } from '../../../errors.ts'
import { httpProblems } from './problems.ts'
import type { RequestContext } from './services.ts'

const FORM_TYPE = /^\s*(multipart\/|application\/x-www-form-urlencoded)/i
/** The largest request body, in bytes as sent and inflated. */
const MAX_BODY_BYTES = 1_048_576
const GZIP = ['gzip', 'x-gzip']
const JSON_TYPE = /^\s*application\/json\s*(;(?!\s*charset\s*=)[^;]*|;\s*charset\s*=\s*"?utf-?8"?\s*)*$/i

/**
 * Reads a request's body and returns its bytes. Throws 413 at the first byte beyond the limit, and 408 if the
 * body is not complete in time, because a slow body occupies a connection.
 */
export async function readBody(context: RequestContext): Promise<Buffer> {
  const announced = Number(context.req.header('content-length') ?? 0)
  if (announced > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
  // Read from the connection itself: a web stream over it costs more than the rest of a small request.
  const { incoming } = context.env as HttpBindings
  // A destroyed connection emits no more events.
  if (incoming.destroyed) throw endedEarly()
  const chunks: Buffer[] = []
  let sizeBytes = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(tooSlow()), context.get('bodyTimeoutMs'))
  const take = (chunk: Buffer) => {
    sizeBytes += chunk.byteLength
    if (sizeBytes > MAX_BODY_BYTES) reject(tooLarge(MAX_BODY_BYTES))
    else chunks.push(chunk)
  }
  // The 'close' event also follows a complete body; checking first avoids creating a Problem, which is
  // expensive.
  const cutOff = () => {
    if (!incoming.readableEnded) reject(endedEarly())
  }
  incoming.on('data', take).on('end', resolve).on('error', cutOff).on('close', cutOff)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    incoming.off('data', take).off('end', resolve).off('error', cutOff).off('close', cutOff)
    if (!incoming.readableEnded) incoming.pause()
  }
  return Buffer.concat(chunks, sizeBytes)
}

/**
 * Reads a request's body, and inflates it if it was compressed with gzip. Throws what `readBody` throws, 413
 * at the first inflated byte beyond the limit, 400 for other bytes than those of gzip, and 415 for any other
 * encoding.
 */
export async function readInflated(context: RequestContext): Promise<Buffer> {
  const bytes = await readBody(context)
  const [encoding, ...others] = encodingsOf(context)
  if (encoding === undefined || bytes.length === 0) return bytes
  if (others.length > 0 || !GZIP.includes(encoding)) {
    throw encodingRefused(context, 'gzip', 'Send the body not compressed, or with Content-Encoding: gzip.')
  }
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(MAX_BODY_BYTES)
    throw new Problem(httpProblems.malformed, { detail: 'The body is not compressed with gzip, or is not complete.' })
  }
}

/** Yields a body as it arrives. Throws 400 if the connection ends before the body does. */
export async function* readStream(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!stream) return
  try {
    yield* stream
  } catch {
    throw endedEarly()
  }
}

/** Throws 415 unless Content-Type is plain JSON, in UTF-8 (RFC 8259, 8.1). */
export function requireJson(context: RequestContext): void {
  if (JSON_TYPE.test(context.req.header('content-type') ?? '')) return
  throw new Problem(httpProblems.unsupportedMediaType, {
    detail: 'Send the body with Content-Type: application/json, in UTF-8.',
  })
}

/**
 * Throws 415 for a form if the route takes none, because the form's framing would be taken for the content,
 * and for a body with a Content-Encoding: the upload's hash and size refer to the uncompressed bytes.
 */
export function requirePlain(context: RequestContext, takesForm: boolean): void {
  const isForm = FORM_TYPE.test(context.req.header('content-type') ?? '')
  const detail = takesForm
    ? 'Send the body as multipart/form-data, not compressed.'
    : 'Send the bytes as they are, with Content-Type: application/octet-stream, not as a form and not compressed.'
  if (isForm !== takesForm) throw new Problem(httpProblems.unsupportedMediaType, { detail })
  if (encodingsOf(context).length > 0) throw encodingRefused(context, 'identity', detail)
}

function encodingsOf(context: RequestContext): string[] {
  const names = (context.req.header('content-encoding') ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}

// The header tells a refused encoding from a refused media type (RFC 9110, 12.5.3).
function encodingRefused(context: RequestContext, taken: string, detail: string): Problem {
  context.header('Accept-Encoding', taken)
  return new Problem(httpProblems.unsupportedMediaType, { detail })
}

/** The problem for a body of more than so many bytes. */
export function tooLarge(maxBytes: number): Problem {
  return new Problem(httpProblems.tooLarge, { detail: `A body may have at most ${maxBytes} bytes.` })
}

/** The problem for a missing body in a call that needs one. */
export function bodyMissing(): Problem {
  return new Problem(httpProblems.malformed, { detail: 'This call needs a JSON body.' })
}

function endedEarly(): Problem {
  return new Problem(httpProblems.malformed, { detail: 'The connection ended before the whole body had arrived.' })
}

function tooSlow(): Problem {
  return new Problem(httpProblems.timeout, { detail: 'The request did not arrive in time.' })
}
