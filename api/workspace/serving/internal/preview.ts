import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findAttachment, requireHarmless } from '../../attachments/find.ts'
import { attachmentProblems } from '../../attachments/problems.ts'
import { attachmentTrashed } from '../../attachments/update.ts'
import type { ReaderCall } from '../../serveMember.ts'
import { makeFileLink } from './link.ts'

/**
 * Returns a link to a preview of an attachment. Throws 404, also if there is no preview, and 409 for an
 * attachment in the trash.
 */
export async function linkToPreview(
  tx: Tx,
  { actor, settings, reader }: ReaderCall,
  { ref, size }: { ref: string; size: number },
): Promise<string> {
  const { id, version, trashed_at, preview_state: state, scan_state } = await findAttachment(tx, reader, ref)
  if (trashed_at !== null) throw attachmentTrashed()
  requireHarmless(settings, scan_state)
  if (state !== 'ready') {
    throw new Problem(attachmentProblems.previewNotAvailable, {
      detail: state === 'pending' ? 'The preview is being made. Ask again soon.' : `The attachment has none: ${state}.`,
    })
  }
  const rendition = size === 1_024 ? 'preview-1024' : 'preview-256'
  const to = { account: actor.humanId, agent: actor.agentId }
  const target = { ...to, attachmentId: id, version, rendition, disposition: 'inline' } as const
  return makeFileLink(tx, settings, target)
}
