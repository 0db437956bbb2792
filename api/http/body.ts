import { Problem } from '../errors.ts'
import type { RequestContext } from './serve.ts'

/** The largest request body, in bytes. */
const MAX_BODY_BYTES = 1_048_576

/** Reads a request's body, counting while it arrives. Throws 413 at the first byte too many. */
export async function readBody(context: RequestContext): Promise<Buffer> {
  const announced = Number(context.req.header('content-length') ?? 0)
  if (announced > MAX_BODY_BYTES) throw tooLarge()
  const stream: ReadableStream<Uint8Array> | null = context.req.raw.body
  if (!stream) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of unbroken(stream)) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, sizeBytes)
}

async function* unbroken(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch {
    throw new Problem('request/malformed', { detail: 'The connection ended before the body did.' })
  }
}

/** Throws 415 unless the body says it is plain JSON. */
export function requireJson(context: RequestContext): void {
  const [mediaType = ''] = (context.req.header('content-type') ?? '').split(';')
  const encoding = context.req.header('content-encoding') ?? 'identity'
  if (mediaType.trim().toLowerCase() === 'application/json' && encoding === 'identity') return
  throw new Problem('request/unsupported-media-type', {
    detail: 'Send the body with Content-Type: application/json, not compressed.',
  })
}

function tooLarge(): Problem {
  return new Problem('request/too-large', { detail: `A body may have at most ${MAX_BODY_BYTES} bytes.` })
}
