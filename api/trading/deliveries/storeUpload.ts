import { createHash } from 'node:crypto'
import { newId } from '../../../protocol/encoding/ids.ts'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import { readStream, tooLarge } from '../../platform/http/serve/body.ts'
import type { RawInput } from '../../platform/http/serve/input.ts'
import { deliveryProblems } from './problems.ts'
import { TextOfUpload } from './textOfUpload.ts'

/** Stored bytes without a row. Without one they are removed later. */
export interface ReceivedBlob {
  id: string
  sizeBytes: number
  /** No bytes, or text of nothing but white space and invisible characters. */
  isBlank: boolean
  /** The beginning and the end of a text, or the document information of a PDF; else null. */
  excerpt: string | null
}

/**
 * Stores the bytes of a request as they arrive. Throws 413 at the first byte beyond the limit, 422, naming
 * the field, if they do not have the hash that was stated: then nothing is stored.
 */
export async function storeUpload(
  settings: Pick<Settings, 'blobDirectory' | 's3'>,
  raw: RawInput,
  stated: { field: string; sha256: string },
  maxBytes: number,
): Promise<ReceivedBlob> {
  if (Number(raw.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const blob = { id: newId(), sizeBytes: 0 }
  const words = new TextOfUpload()
  const hash = createHash('sha256')
  async function* measured() {
    for await (const chunk of readStream(raw.stream)) {
      blob.sizeBytes += chunk.byteLength
      if (blob.sizeBytes > maxBytes) throw tooLarge(maxBytes)
      hash.update(chunk)
      words.add(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== stated.sha256) throw wrongHash(stated.field)
  }
  await blobsOf(settings).write(blob.id, measured())
  return { ...blob, isBlank: words.isBlank, excerpt: words.excerpt() }
}

function wrongHash(field: string): Problem {
  return new Problem(deliveryProblems.wrongHash, {
    detail: 'The received bytes do not have this SHA-256: they were changed or cut off in transit. Nothing was kept.',
    field,
  })
}
