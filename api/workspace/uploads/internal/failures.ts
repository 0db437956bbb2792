import { ERRORS } from '@tus/server'
import { notFound, Problem } from '../../../errors.ts'
import { invalid } from '../../../platform/http/serve/input.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import { attachmentProblems } from '../../attachments/problems.ts'
import { uploadProblems } from '../problems.ts'

type TusError = { status_code: number; body: string }

const BY_BODY: Readonly<Record<string, () => Problem>> = {
  [ERRORS.INVALID_OFFSET.body]: () =>
    new Problem(uploadProblems.uploadOffsetMismatch, {
      detail: 'Upload-Offset is not the number of bytes that have arrived. HEAD returns that number.',
      field: 'Upload-Offset',
    }),
  [ERRORS.ERR_SIZE_EXCEEDED.body]: tooLarge,
  [ERRORS.ERR_MAX_SIZE_EXCEEDED.body]: tooLarge,
  [ERRORS.FILE_NOT_FOUND.body]: () => notFound('upload'),
  [ERRORS.INVALID_LENGTH.body]: wrongLength,
  [ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION.body]: wrongLength,
  [ERRORS.INVALID_METADATA.body]: () => invalid('Upload-Metadata', 'must be keys with their values in base64'),
  [ERRORS.MISSING_OFFSET.body]: () => invalid('Upload-Offset', 'is missing'),
  [ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION.body]: () => invalid('Upload-Concat', 'is not offered'),
}

/** Turns an error that the library threw into one of ours: a fault, or the problem that it stands for. */
export function failureOf(error: unknown): unknown {
  if (error instanceof Problem || !isTusError(error)) return error
  return BY_BODY[error.body]?.() ?? cutOff()
}

/**
 * Returns the problem for a request that the library refused because of its headers, before any of our code
 * ran.
 */
export function refusalOf(status: number, text: string): Problem {
  if (status === 412) return wrongVersion()
  const header = text.replace(/^Invalid /, '').trim()
  return header === 'tus-resumable' ? wrongVersion() : invalid(header, 'is not valid in tus 1.0.0')
}

function isTusError(error: unknown): error is TusError {
  return typeof error === 'object' && error !== null && 'status_code' in error && 'body' in error
}

/** The problem for bytes beyond the length of an upload, or for an upload that is longer than any may be. */
export function tooLarge(): Problem {
  return new Problem(attachmentProblems.fileTooLarge, {
    detail: 'The upload would be longer than its Upload-Length, or than any upload may be (max_upload_bytes).',
  })
}

function wrongLength(): Problem {
  return invalid('Upload-Length', 'must be given once, at the creation: it cannot be deferred')
}

function wrongVersion(): Problem {
  return new Problem(uploadProblems.tusVersion, {
    detail: 'Send the header Tus-Resumable: 1.0.0.',
    field: 'Tus-Resumable',
  })
}

/** The problem for a body that ended early. */
export function cutOff(): Problem {
  return new Problem(httpProblems.malformed, {
    detail: 'The request ended early, or another one took its upload. HEAD tells how much has arrived.',
  })
}
