import { sql } from 'kysely'
import type { Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { ScanState } from '../../../platform/db/generated/tables.ts'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireHarmless } from '../../attachments/find.ts'
import type { Reader } from '../../membership.ts'
import { findPage } from '../../pages/find.ts'
import { pageProblems } from '../../pages/problems.ts'
import { findSpace } from '../../spaces/find.ts'
import type { ArchiveContent } from './layout.ts'
import { plainName } from './names.ts'

// Without the fields of ZIP64 an archive has fewer entries and fewer bytes than these.
const MAX_ENTRIES = 65_000
const MAX_BYTES = 4_000_000_000n

/** What an archive has, before it is laid out. */
export interface ArchivePlan extends ArchiveContent {
  name: string
}

interface PageRow {
  id: string
  parent_id: string | null
  title: string
  version: number
  size_bytes: bigint
}

/**
 * Plans the archive of a page with those below it, or of a space, as a reader sees them now. Throws the
 * uniform 404, and 422 for more than an archive can have.
 */
export async function planArchive(
  tx: Tx,
  settings: Pick<Settings, 'scanner'>,
  reader: Reader,
  what: { page: string } | { space: string },
): Promise<ArchivePlan> {
  const { name, pages } =
    'page' in what ? await belowPage(tx, reader, what.page) : await ofSpace(tx, reader, what.space)
  const files = await filesOf(
    tx,
    pages.map(({ id }) => id),
  )
  const sizeBytes = [...pages, ...files].reduce((sum, { size_bytes }) => sum + BigInt(size_bytes), 0n)
  if (pages.length + files.length > MAX_ENTRIES || sizeBytes > MAX_BYTES) throw tooLarge()
  return {
    name: `${plainName(name)}.zip`,
    pages: pages.map(({ id, parent_id, title, version }) => ({ id, parent_id, title, version })),
    files: files.map(({ page_id, filename, file_id, scan_state }) => ({
      pageId: page_id,
      filename,
      fileId: file_id,
      isHarmless: isHarmless(settings, scan_state),
    })),
  }
}

async function belowPage(tx: Tx, reader: Reader, ref: string): Promise<{ name: string; pages: PageRow[] }> {
  const { id, title, space_id: spaceId } = await findPage(tx, reader, ref)
  const { rows } = await sql<PageRow>`
    with recursive below as (
      select id, parent_id, title, version, text from market.pages where id = ${id} and space_id = ${spaceId}
      union all
      select child.id, child.parent_id, child.title, child.version, child.text
      from market.pages child join below on child.parent_id = below.id where child.trashed_at is null and child.space_id = ${spaceId})
    select id, parent_id, title, version, octet_length(text) as size_bytes from below order by id`.execute(tx)
  return { name: title, pages: rows }
}

async function ofSpace(tx: Tx, reader: Reader, ref: string): Promise<{ name: string; pages: PageRow[] }> {
  const { id, name } = await findSpace(tx, reader, ref)
  const { rows } = await sql<PageRow>`
    select id, parent_id, title, version, octet_length(text) as size_bytes
    from market.pages where space_id = ${id} and trashed_at is null order by id`.execute(tx)
  return { name, pages: rows }
}

async function filesOf(tx: Tx, pages: readonly string[]) {
  return tx
    .selectFrom('market.attachments as attachment')
    .innerJoin('market.attachment_versions as version', (join) =>
      join.onRef('version.attachment_id', '=', 'attachment.id').onRef('version.number', '=', 'attachment.version'),
    )
    .innerJoin('market.files as file', 'file.id', 'version.file_id')
    .select(['attachment.page_id', 'attachment.filename', 'version.file_id', 'file.size_bytes', 'file.scan_state'])
    .where('attachment.page_id', '=', anyOf(pages))
    .where('attachment.trashed_at', 'is', null)
    .orderBy('attachment.id')
    .execute()
}

function isHarmless(settings: Pick<Settings, 'scanner'>, state: ScanState): boolean {
  try {
    requireHarmless(settings, state)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function tooLarge(): Problem {
  return new Problem(pageProblems.archiveTooLarge, {
    detail: `An archive has at most ${MAX_ENTRIES} files and 4 GB. Download its parts separately.`,
  })
}
