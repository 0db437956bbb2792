import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Settings } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import type { Database, PreviewState, ScanState, TextState } from '../../platform/db/generated/tables.ts'
import { anyOf } from '../../platform/db/lists.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { isTaskSeller, type Member, mayRead, type Reader, type TaskSeller } from '../membership.ts'
import { referenceTo } from '../pages/references.ts'
import { refColumn } from '../schemas.ts'
import { mayOfAttachment } from './internal/guards.ts'
import { attachmentProblems } from './problems.ts'

/**
 * An attachment with its page and the version that its reader is shown: for a member the current one, for a
 * seller the one that was added.
 */
export interface AttachmentRow extends Selectable<Database['market.attachments']> {
  page_short_id: string
  space_id: string
  space_archived_at: Date | null
  file_id: string
  /** Null while the worker is yet to take it. */
  sha256: string | null
  size_bytes: bigint
  media_type: string
  text_state: TextState
  preview_state: PreviewState
  scan_state: ScanState
}

/**
 * Returns an attachment that a reader sees, by its short id or UUID, also if it is in the trash. Throws the
 * uniform 404.
 */
export async function findAttachment(db: Db | Tx, reader: Reader | TaskSeller, ref: string): Promise<AttachmentRow> {
  const { column, value } = refColumn(ref)
  const row = await selectAttachments(db, reader).where(`attachment.${column}`, '=', value).executeTakeFirst()
  if (row) return row
  throw notFound('attachment')
}

/** Returns the attachments with these ids that a reader sees, in no order. */
export async function findAttachmentRows(
  tx: Tx,
  reader: Reader | TaskSeller,
  ids: readonly string[],
): Promise<AttachmentRow[]> {
  if (ids.length === 0) return []
  return selectAttachments(tx, reader).where('attachment.id', '=', anyOf(ids)).execute()
}

/** Which attachments a list has. */
export interface AttachmentFilter {
  pageId: string | undefined
  entryId: string | undefined
  filename: string | undefined
  isTrash: boolean
}

/** Lists attachments that a reader sees, newest first, starting below an id. */
export async function listAttachmentRows(
  tx: Tx,
  reader: Reader,
  filter: AttachmentFilter,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<AttachmentRow[]> {
  let query = selectAttachments(tx, reader).where('attachment.trashed_at', filter.isTrash ? 'is not' : 'is', null)
  if (filter.pageId !== undefined) query = query.where('attachment.page_id', '=', filter.pageId)
  if (filter.entryId !== undefined) query = query.where('attachment.entry_id', '=', filter.entryId)
  if (filter.filename !== undefined) query = query.where('attachment.filename', '=', filter.filename)
  if (from !== undefined) query = query.where('attachment.id', '<', from)
  return query.orderBy('attachment.id', 'desc').limit(limit).execute()
}

function selectAttachments(db: Db | Tx, reader: Reader | TaskSeller) {
  return db
    .selectFrom('market.attachments as attachment')
    .innerJoin('market.pages as page', 'page.id', 'attachment.page_id')
    .innerJoin('market.spaces as space', 'space.id', 'page.space_id')
    .innerJoin('market.attachment_versions as version', (join) =>
      join.onRef('version.attachment_id', '=', 'attachment.id').on('version.number', '=', shownVersion(reader)),
    )
    .innerJoin('market.files as file', 'file.id', 'version.file_id')
    .select(['attachment.id', 'attachment.short_id', 'attachment.org_id', 'attachment.page_id', 'attachment.entry_id'])
    .select(['attachment.filename', 'version.number as version', 'attachment.import_id', 'attachment.created_by'])
    .select(['attachment.created_at', 'attachment.updated_at', 'attachment.trashed_at', 'attachment.purge_at'])
    .select(['page.short_id as page_short_id', 'page.space_id', 'space.archived_at as space_archived_at'])
    .select(['version.file_id', 'version.media_type'])
    .select(['file.sha256', 'file.size_bytes', 'file.text_state', 'file.preview_state', 'file.scan_state'])
    .where('attachment.org_id', '=', reader.orgId)
    .where('page.trashed_at', 'is', null)
    .where(isTaskSeller(reader) ? sql<boolean>`true` : mayRead(reader, 'page.space_id'))
}

/** The number of the version that a reader is shown; null for a file that is in no task of a seller. */
function shownVersion(reader: Reader | TaskSeller): RawBuilder<number> {
  if (!isTaskSeller(reader)) return sql.ref<number>('attachment.version')
  return sql<number>`(select max(added.version) from market.task_files added
    where added.attachment_id = attachment.id and added.task_id = any(${reader.soldTasks}))`
}

/** Returns an attachment in its wire form for a member. */
export function toAttachment(member: Member, row: AttachmentRow) {
  return { ...wireOf(row), may: mayOfAttachment(member, row) }
}

function wireOf(row: AttachmentRow) {
  const { id, short_id, page_id, page_short_id, entry_id, filename, version, sha256, media_type, created_by } = row
  const settled = sha256 === null ? ('hashing' as const) : ('active' as const)
  return {
    ...{ id, short_id, page_id, page_short_id, entry_id, filename, version, media_type, created_by },
    ...(sha256 === null ? {} : { sha256 }),
    reference: referenceTo(filename, 'embed'),
    text_state: row.text_state,
    preview_state: row.preview_state,
    scan_state: row.scan_state,
    state: row.trashed_at === null ? settled : ('trashed' as const),
    size_bytes: Number(row.size_bytes),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    trashed_at: row.trashed_at?.toISOString() ?? null,
    restorable_until: row.purge_at?.toISOString() ?? null,
  }
}

/**
 * Returns the wire form for a reader: a seller does not get the page and entry that the attachment is on, and
 * changes nothing.
 */
export function toSeenAttachment(reader: Member | TaskSeller, row: AttachmentRow) {
  if (!isTaskSeller(reader)) return toAttachment(reader, row)
  return { ...wireOf(row), page_id: null, page_short_id: null, entry_id: null, may: [] }
}

const RETRY_SECONDS = 5

/**
 * Throws 403 attachment_quarantined for a file that the scanner found infected, even if its bytes were
 * deleted for that, and, if there is a scanner, for a file that it has not scanned yet.
 */
export function requireHarmless({ scanner }: Pick<Settings, 'scanner'>, state: ScanState): void {
  if (state === 'infected') {
    throw new Problem(attachmentProblems.attachmentQuarantined, {
      detail: 'The virus scanner found this file infected. An operator of the service can release it.',
    })
  }
  requireBytes(state)
  if (state === 'unscanned' && scanner !== undefined) {
    throw new Problem(attachmentProblems.attachmentQuarantined, {
      detail: 'The virus scanner has not seen this file yet. Ask again soon.',
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
}

/** Throws 403 attachment_quarantined for a file whose bytes an operator has deleted. */
export function requireBytes(state: ScanState): void {
  if (state !== 'deleted') return
  throw new Problem(attachmentProblems.attachmentQuarantined, {
    detail: 'The virus scanner found this file infected, and an operator of the service deleted its bytes.',
  })
}
