import { sql } from 'kysely'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { insertAttachment } from '../../attachments/attach.ts'
import { findAttachment } from '../../attachments/find.ts'
import { attachmentEvents } from '../../attachments/module.ts'
import { addFile, type StoredBytes } from '../../attachments/storage.ts'
import type { Member } from '../../membership.ts'
import { accountIdOf, notify } from '../../notifications/notify.ts'
import { insertPage } from '../../pages/create.ts'
import { findPage, type PageRow } from '../../pages/find.ts'
import { pageProblems } from '../../pages/problems.ts'
import { recordChange } from '../../recordChange.ts'
import { openSpace } from '../../spaces/find.ts'
import type { PlannedPage } from '../layout.ts'
import { importEvents, importNotices } from '../module.ts'
import type { ImportRow } from './find.ts'
import type { WrittenPage } from './plan.ts'
import { Report } from './report.ts'

/** The result of an import: its pages, the bytes of their files by path, and its report. */
interface ReadyImport {
  written: readonly WrittenPage[]
  stored: ReadonlyMap<string, StoredBytes>
  report: Report
}

/**
 * Creates the pages of an import and their files, all at once, and notifies the member who began it. Does
 * nothing if the import has ended meanwhile. The tree must be locked. Throws the uniform 404, 409 for an
 * archived space, and 413 beyond the quota.
 */
export async function finishImport(
  tx: Tx,
  rules: MarketRules,
  member: Member,
  begun: ImportRow,
  { written, stored, report }: ReadyImport,
): Promise<void> {
  // Another worker, which held the same lock on the tree of pages, has done it.
  if (!(await isRunning(tx, begun))) return
  const space = await openSpace(tx, member, begun.space_id)
  const above = begun.parent_id === null ? undefined : await findPage(tx, member, begun.parent_id)
  if (above && above.space_id !== space.id) {
    throw new Problem(pageProblems.pageTree, { detail: 'The page above it was moved to another space.' })
  }
  const made = new Map<PlannedPage, PageRow>()
  for (const { page, text } of written) {
    const parent = page.parent ? made.get(page.parent) : above
    const place = { space_id: space.id, parent_id: parent?.id ?? null, import_id: begun.id }
    made.set(page, await insertPage(tx, member, { ...place, title: page.title, text }))
  }
  const files = await attachAll(tx, rules, member, begun, written, made, stored)
  await end(tx, begun, { state: 'finished', failure: null, pages: written.length, files, report })
}

/** Ends an import that created nothing, and tells the member who began it why. */
export async function failImport(tx: Tx, begun: ImportRow, failure: string): Promise<void> {
  if (!(await isRunning(tx, begun))) return
  await end(tx, begun, { state: 'failed', failure, pages: 0, files: 0, report: new Report() })
}

/** Returns whether an import has not ended, and locks it. */
async function isRunning(tx: Tx, { id }: ImportRow): Promise<boolean> {
  const running = tx.selectFrom('market.imports').select('id').where('id', '=', id).where('state', '=', 'running')
  return (await running.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

/** Returns the number of files. The same file may be on several pages. */
async function attachAll(
  tx: Tx,
  rules: MarketRules,
  member: Member,
  begun: ImportRow,
  written: readonly WrittenPage[],
  made: ReadonlyMap<PlannedPage, PageRow>,
  stored: ReadonlyMap<string, StoredBytes>,
): Promise<number> {
  const fileIds = new Map<string, string>()
  let count = 0
  for (const { page: planned, files } of written) {
    const page = made.get(planned) as PageRow
    for (const [path, filename] of files) {
      const bytes = stored.get(path) as StoredBytes
      const fileId = fileIds.get(path) ?? (await addFile(tx, rules, member.orgId, bytes))
      fileIds.set(path, fileId)
      const placed = { page_id: page.id, entry_id: null, filename, import_id: begun.id }
      const entity = await findAttachment(tx, member, await insertAttachment(tx, member, placed, fileId, bytes))
      const data = { page_id: page.id, version: 1, size_bytes: bytes.sizeBytes, media_type: bytes.mediaType }
      await recordChange(tx, member.orgId, member, {
        type: attachmentEvents['attachment.created'],
        entity,
        spaceId: page.space_id,
        data,
      })
      count++
    }
  }
  return count
}

async function end(
  tx: Tx,
  { id, short_id, org_id: orgId, space_id: spaceId, created_by }: ImportRow,
  { report, ...result }: Pick<ImportRow, 'state' | 'failure' | 'pages' | 'files'> & { report: Report },
): Promise<void> {
  const reported = { report: JSON.stringify(report.lines), report_total: report.total }
  await tx
    .updateTable('market.imports')
    .set({ ...result, ...reported, ended_at: sql<Date>`market.now()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirstOrThrow(() => new Error(`the import ${id} has ended meanwhile`))
  const { state, pages, files } = result
  await recordChange(tx, orgId, null, {
    type: importEvents['import.finished'],
    entity: { id, short_id },
    spaceId,
    data: { state, pages, files },
  })
  await notify(tx, {
    ...{ kind: importNotices['import.finished'], orgId, by: null, spaceId },
    recipients: [accountIdOf(created_by)],
    entity: { type: 'import', id, short_id },
  })
}
