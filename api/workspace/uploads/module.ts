import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { uploadProblems } from './problems.ts'

const DAY = 86_400

const personalData: PersonalData = {
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

export const uploadRules = {
  /** The largest file that may be uploaded in parts, in bytes, and how long we wait for its parts. */
  maxUploadBytes: 10 * 1_073_741_824,
  uploadSeconds: DAY,
}

/** What the service knows through this folder. */
export const uploads = {
  problems: uploadProblems,
  rules: uploadRules,
  personalData,
  schema: ['api/workspace/uploads/schema.sql'],
} satisfies Module
