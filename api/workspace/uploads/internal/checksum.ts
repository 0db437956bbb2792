import { createHash, type Hash } from 'node:crypto'
import { Problem } from '../../../errors.ts'
import { invalid } from '../../../platform/http/serve/input.ts'
import { uploadProblems } from '../problems.ts'

const HEADER = 'Upload-Checksum'
/** The algorithms of Upload-Checksum (tus 1.0.0, Checksum), as Tus-Checksum-Algorithm lists them. */
export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256', 'md5'] as const

/** The checksum that the bytes of one request must have. */
export interface Checksum {
  hash: Hash
  expected: Buffer
}

/** Returns the checksum that a request announces, or undefined. Throws 400 for an invalid one. */
export function readChecksum(header: string | null): Checksum | undefined {
  if (header === null) return undefined
  const [name = '', value = ''] = header.trim().split(/\s+/)
  const algorithm = CHECKSUM_ALGORITHMS.find((each) => each === name.toLowerCase())
  if (!algorithm) throw invalid(HEADER, `must be one of ${CHECKSUM_ALGORITHMS.join(', ')}, and its value in base64`)
  const expected = Buffer.from(value, 'base64')
  const hash = createHash(algorithm)
  if (expected.length !== hash.copy().digest().length) throw invalid(HEADER, `is no value of ${algorithm} in base64`)
  return { hash, expected }
}

/** Throws 460 if the bytes do not have the expected checksum. */
export function requireMatch({ hash, expected }: Checksum): void {
  if (hash.digest().equals(expected)) return
  throw new Problem(uploadProblems.checksumMismatch, {
    detail: 'The bytes of this request do not have its Upload-Checksum. They were dropped: send them again.',
    field: HEADER,
  })
}
