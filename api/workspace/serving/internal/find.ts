import type { Settings } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findAttachment, requireHarmless } from '../../attachments/find.ts'
import { splitName } from '../../attachments/names.ts'
import { findVersion } from '../../attachments/versions.ts'
import { findTaskSeller, type TaskSeller } from '../../membership.ts'
import type { FileTarget } from './link.ts'

/** The bytes that a link leads to. */
export interface ServedFile {
  blobId: string
  filename: string
  mediaType: string
  /** Of a text: its encoding, by its name in the Encoding Standard. */
  encoding: string | null
  sizeBytes: bigint
  /** Whether we made the bytes, as a preview of a file. */
  isPreview: boolean
  /** Of an original: SHA-256 of its bytes, hex. Null while the worker is yet to take it. */
  sha256: string | null
  disposition: 'inline' | 'attachment'
}

/**
 * Returns the bytes that a link leads to, if its account could get the link now: it is in the org, or is the
 * seller of a running order that the file is for, it sees that version, and the attachment is not in the
 * trash. Throws the uniform 404, and 403 for a file in quarantine.
 */
export async function findServedFile(
  tx: Tx,
  settings: Pick<Settings, 'scanner'>,
  target: FileTarget,
): Promise<ServedFile> {
  const row = await tx
    .selectFrom('market.attachments as attachment')
    .leftJoin('market.org_members as member', (join) =>
      join.onRef('member.org_id', '=', 'attachment.org_id').on('member.human_id', '=', target.account),
    )
    .innerJoin('market.orgs as org', 'org.id', 'attachment.org_id')
    .leftJoin('market.org_agents as agent', (join) =>
      join.onRef('agent.org_id', '=', 'org.id').on('agent.agent_id', '=', target.agent),
    )
    .innerJoin('market.attachment_versions as version', 'version.attachment_id', 'attachment.id')
    .innerJoin('market.files as file', 'file.id', 'version.file_id')
    .select(['version.file_id', 'attachment.filename', 'version.media_type', 'file.sha256', 'file.size_bytes'])
    .select(['file.encoding', 'file.scan_state'])
    .select(['attachment.org_id', 'member.role', 'org.agents_stopped_at', 'agent.state'])
    .where('attachment.id', '=', target.attachmentId)
    .where('attachment.trashed_at', 'is', null)
    .where('version.number', '=', target.version)
    .executeTakeFirst()
  if (!row || (target.agent !== null && isShutOut(row))) throw notFound('file')
  const { org_id: orgId } = row
  const reader = row.role === null ? await sellerOf(tx, target) : { orgId, role: row.role, humanId: target.account }
  await findAttachment(tx, reader, target.attachmentId)
  await findVersion(tx, reader, target.attachmentId, target.version)
  requireHarmless(settings, row.scan_state)
  const { file_id, filename, media_type: mediaType, encoding, sha256, size_bytes: sizeBytes } = row
  const { disposition } = target
  if (target.rendition === 'original')
    return { blobId: file_id, isPreview: false, filename, mediaType, encoding, sizeBytes, sha256, disposition }
  const preview = await findPreview(tx, file_id, target.rendition === 'preview-1024' ? 1_024 : 256)
  const picture = { filename: `${splitName(filename).stem}.webp`, mediaType: 'image/webp', encoding: null, disposition }
  return { blobId: preview.id, isPreview: true, sha256: null, sizeBytes: preview.size_bytes, ...picture }
}

/** Returns a link's account as the seller of a running order that the file is for. Throws the uniform 404. */
async function sellerOf(tx: Tx, { account, agent, attachmentId }: FileTarget): Promise<TaskSeller> {
  const seller = await findTaskSeller(tx, { humanId: account, agentId: agent }, { attachment: attachmentId })
  if (seller) return seller
  throw notFound('file')
}

function isShutOut({ agents_stopped_at, state }: { agents_stopped_at: Date | null; state: string | null }): boolean {
  return agents_stopped_at !== null || (state !== null && state !== 'active')
}

async function findPreview(tx: Tx, fileId: string, size: number) {
  const row = await tx
    .selectFrom('market.previews')
    .select(['id', 'size_bytes'])
    .where('file_id', '=', fileId)
    .where('size', '=', size)
    .executeTakeFirst()
  if (row) return row
  throw notFound('file')
}
