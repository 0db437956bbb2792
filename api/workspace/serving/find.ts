import { notFound } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { FileTarget } from './link.ts'

/** The file that a link leads to. */
export interface ServedFile {
  file_id: string
  filename: string
  media_type: string
  sha256: string
  size_bytes: bigint
  disposition: 'inline' | 'attachment'
}

/**
 * Returns the file that a link leads to, if its account could have the link now: it is in the org, and the attachment is
 * not in the trash. Throws the uniform 404.
 */
export async function findServedFile(tx: Tx, target: FileTarget): Promise<ServedFile> {
  const row = await tx
    .selectFrom('market.attachments as attachment')
    .innerJoin('market.org_members as member', 'member.org_id', 'attachment.org_id')
    .innerJoin('market.attachment_versions as version', 'version.attachment_id', 'attachment.id')
    .innerJoin('market.files as file', 'file.id', 'version.file_id')
    .select(['version.file_id', 'attachment.filename', 'version.media_type', 'file.sha256', 'file.size_bytes'])
    .where('attachment.id', '=', target.attachmentId)
    .where('attachment.trashed_at', 'is', null)
    .where('member.human_id', '=', target.account)
    .where('version.number', '=', target.version)
    .executeTakeFirst()
  if (!row) throw notFound('file')
  return { ...row, disposition: target.disposition }
}
