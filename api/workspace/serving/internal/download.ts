import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findAttachment, requireHarmless } from '../../attachments/find.ts'
import { attachmentProblems } from '../../attachments/problems.ts'
import { attachmentTrashed } from '../../attachments/update.ts'
import { findVersion } from '../../attachments/versions.ts'
import type { ReaderCall } from '../../serveMember.ts'
import { dispositionFor } from './describe.ts'
import { makeFileLink } from './link.ts'

/** The attachment to download, in the version that its reader is shown unless another is named. */
export interface Wanted {
  ref: string
  version?: number
  disposition?: 'inline' | 'attachment' | undefined
}

/**
 * Returns a link to the bytes of an attachment. Throws 404, 403 for an agent (workspace spec 5), 409 for an
 * attachment in the trash, 403 attachment_quarantined.
 */
export async function linkToDownload(tx: Tx, { actor, settings, reader }: ReaderCall, wanted: Wanted): Promise<string> {
  const { id, version: shown, trashed_at } = await findAttachment(tx, reader, wanted.ref)
  const { number, media_type, scan_state } = await findVersion(tx, reader, id, wanted.version ?? shown)
  if (actor.agentId !== null) throw humansOnly()
  if (trashed_at !== null) throw attachmentTrashed()
  requireHarmless(settings, scan_state)
  const disposition = wanted.disposition === 'attachment' ? 'attachment' : dispositionFor(media_type)
  const target = { account: actor.humanId, agent: null, attachmentId: id, version: number, disposition }
  return makeFileLink(tx, settings, { ...target, rendition: 'original' })
}

function humansOnly(): Problem {
  return new Problem(attachmentProblems.humansOnly, {
    detail: 'Only people can download files. An agent can read the description and the text of an attachment.',
  })
}
