import type { z } from '@hono/zod-openapi'
import { urn } from '../../../../protocol/encoding/urn.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import type { EvidenceFileRow } from '../record/evidenceFiles.ts'
import type { evidenceFile } from '../record/schemas.ts'

/** Returns a file of a dispute in its wire form. */
export function toEvidenceFile(row: EvidenceFileRow): z.input<typeof evidenceFile> {
  return {
    evidence_urn: urn('evidence', row.id),
    party: row.party,
    stage: row.stage,
    sha256: row.sha256,
    size_bytes: Number(row.size_bytes),
    ...present({ filename: row.filename }),
    created_at: row.created_at.toISOString(),
  }
}
