import type { ProblemTypes } from '../../errors.ts'

export const attachmentProblems = {
  fileTooLarge: { name: 'workspace/file-too-large', status: 413, title: 'The file is too large' },
  quotaExceeded: { name: 'workspace/quota-exceeded', status: 413, title: 'The storage of the org is full' },
  humansOnly: { name: 'workspace/humans-only', status: 403, title: 'Only people may do this, not agents' },
  previewNotAvailable: { name: 'workspace/preview-not-available', status: 404, title: 'There is no preview' },
  linkExpired: { name: 'workspace/link-expired', status: 403, title: 'This link has expired' },
  attachmentTrashed: { name: 'workspace/attachment-trashed', status: 409, title: 'The attachment is in the trash' },
  attachmentNotTrashed: {
    name: 'workspace/attachment-not-trashed',
    status: 409,
    title: 'The attachment is not in the trash',
  },
  attachmentHeld: {
    name: 'workspace/attachment-held',
    status: 409,
    title: 'The file belongs to a task that is offered or ordered',
  },
  versionCurrent: { name: 'workspace/version-current', status: 409, title: 'The version is the current one' },
  attachmentQuarantined: {
    name: 'workspace/attachment-quarantined',
    status: 403,
    title: 'The attachment is in quarantine',
  },
  notInfected: { name: 'workspace/not-infected', status: 409, title: 'The file is not in quarantine' },
} as const satisfies ProblemTypes
