import type { ProblemTypes } from '../../errors.ts'

export const uploadProblems = {
  uploadOffsetMismatch: {
    name: 'workspace/upload-offset-mismatch',
    status: 409,
    title: 'The upload continues at another offset',
  },
  uploadLocked: { name: 'workspace/upload-locked', status: 423, title: 'Another request works on this upload' },
  checksumMismatch: { name: 'workspace/checksum-mismatch', status: 460, title: 'The bytes do not match the checksum' },
  tusVersion: { name: 'workspace/tus-version', status: 412, title: 'The upload uses another version of tus' },
} as const satisfies ProblemTypes
