import type { HttpBindings } from '@hono/node-server'
import { Problem } from '../errors.ts'
import type { RequestContext } from './serve.ts'

/** The largest request body, in bytes. */
const MAX_BODY_BYTES = 1_048_576
const JSON_TYPE = /^\s*application\/json\s*(;(?!\s*charset\s*=)[^;]*|;\s*charset\s*=\s*"?utf-8"?\s*)*$/i

/**
 * Reads a request's body, counting while it arrives. Throws 413 at the first byte too many, and 408 when it is not whole in
 * time, whether it drips or stalls: what holds a body back holds a connection.
 */
export async function readBody(context: RequestContext): Promise<Buffer> {
  const announced = Number(context.req.header('content-length') ?? 0)
  if (announced > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
  // From the connection itself: a stream of the web over it costs more than the rest of a small request.
  const { incoming } = context.env as HttpBindings
  // Nothing more is heard of a connection that is gone.
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
  // Heard of each body that is whole, too: a Problem costs more than to look.
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

/** A body as it arrives. Throws 400 when the connection ends before it does. */
export async function* readStream(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!stream) return
  try {
    yield* stream
  } catch {
    throw endedEarly()
  }
}

/** Throws 415 unless the body says it is plain JSON, and in no other charset than its own (RFC 8259, 8.1). */
export function requireJson(context: RequestContext): void {
  const encoding = context.req.header('content-encoding') ?? 'identity'
  if (JSON_TYPE.test(context.req.header('content-type') ?? '') && encoding === 'identity') return
  throw new Problem('request/unsupported-media-type', {
    detail: 'Send the body with Content-Type: application/json, in UTF-8 and not compressed.',
  })
}

/** Throws 415 for a body that arrives compressed: its bytes would be none of those it stands for. */
export function requirePlain(context: RequestContext): void {
  if ((context.req.header('content-encoding') ?? 'identity') === 'identity') return
  throw new Problem('request/unsupported-media-type', { detail: 'Send the bytes as they are, not compressed.' })
}

/** The refusal of a body of more than so many bytes. */
export function tooLarge(maxBytes: number): Problem {
  return new Problem('request/too-large', { detail: `A body may have at most ${maxBytes} bytes.` })
}

/** The refusal of no body, where a call needs one. */
export function bodyMissing(): Problem {
  return new Problem('request/malformed', { detail: 'This call needs a body of JSON.' })
}

function endedEarly(): Problem {
  return new Problem('request/malformed', { detail: 'The connection ended before the body did.' })
}

function tooSlow(): Problem {
  return new Problem('request/timeout', { detail: 'The request did not arrive in time.' })
}
