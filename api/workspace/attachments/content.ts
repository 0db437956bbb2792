import { createHash } from 'node:crypto'
import { type FileType, typeReader } from './mediaType.ts'

/** What is known of bytes that were read from the first to the last. */
export interface Content extends FileType {
  sizeBytes: number
  /** Of the bytes, hex. */
  sha256: string
}

/** Takes the chunks of a file, one after the other. */
export interface ContentReader {
  add: (chunk: Uint8Array) => void
  /** How many bytes it has taken. */
  sizeBytes: () => number
  /** Returns what the bytes so far are. */
  content: () => Content
}

/** Returns an object that takes the chunks of a file, one after the other, and tells what they are. */
export function contentReader(): ContentReader {
  const hash = createHash('sha256')
  const { add, type } = typeReader()
  let sizeBytes = 0
  return {
    add: (chunk) => {
      sizeBytes += chunk.byteLength
      hash.update(chunk)
      add(chunk)
    },
    sizeBytes: () => sizeBytes,
    content: () => ({ sizeBytes, sha256: hash.copy().digest('hex'), ...type() }),
  }
}
