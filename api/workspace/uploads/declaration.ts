import type { ProblemTypes } from '../../errors.ts'
import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'

const DAY = 86_400

export const uploadPersonalData: PersonalData = {
  tables: {
    'market.uploads': {
      deleted: { rows: isOfLoneOrg, columns: ['metadata'] },
      plain: [
        ...[
          'id',
          'org_id',
          'created_by',
          'length_bytes',
          'reserved_bytes',
          'unverified_from',
          'lease_id',
          'leased_until',
        ],
        ...['is_direct', 'is_wanted', 'attachment_id', 'created_at', 'expires_at'],
      ],
    },
  },
}

export const uploadProblems = {
  'workspace/upload-offset-mismatch': { status: 409, title: 'The upload continues at another offset' },
  'workspace/upload-locked': { status: 423, title: 'Another request works on this upload' },
  'workspace/checksum-mismatch': { status: 460, title: 'The bytes do not match the checksum' },
  'workspace/tus-version': { status: 412, title: 'The upload uses another version of tus' },
} as const satisfies ProblemTypes

export const uploadRules = {
  /** The largest file that may be uploaded in parts, in bytes, and how long we wait for its parts. */
  maxUploadBytes: 10 * 1_073_741_824,
  uploadSeconds: DAY,
}
