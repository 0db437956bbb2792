import type { HttpBindings } from '@hono/node-server'
import { Problem } from '../../../errors.ts'
import { httpProblems } from './problems.ts'
import type { RequestContext } from './services.ts'

/** The largest request body, in bytes. */
const FORM_TYPE = /^\s*(multipart\/|application\/x-www-form-urlencoded)/i
const MAX_BODY_BYTES = 1_048_576
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
  const encoding = context.req.header('content-encoding') ?? 'identity'
  if (JSON_TYPE.test(context.req.header('content-type') ?? '') && encoding === 'identity') return
  throw new Problem(httpProblems.unsupportedMediaType, {
    detail: 'Send the body with Content-Type: application/json, in UTF-8 and not compressed.',
  })
}

/**
 * Throws 415 for a form if the route takes none, because the form's framing would be taken for the content,
 * and for a body with a Content-Encoding: the upload's hash and size refer to the uncompressed bytes.
 */
export function requirePlain(context: RequestContext, takesForm: boolean): void {
  const encoding = context.req.header('content-encoding') ?? 'identity'
  const isForm = FORM_TYPE.test(context.req.header('content-type') ?? '')
  if (isForm === takesForm && encoding === 'identity') return
  throw new Problem(httpProblems.unsupportedMediaType, {
    detail: takesForm
      ? 'Send the body as multipart/form-data, not compressed.'
      : 'Send the bytes as they are, with Content-Type: application/octet-stream, not as a form and not compressed.',
  })
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
