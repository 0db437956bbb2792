import { sql } from 'kysely'
import { parseUrn } from '../../../protocol/encoding/urn.ts'
import { notFound, Problem } from '../../errors.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { beginAttempt } from '../../platform/jobs/attempts.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { ArchiveRefused } from '../../platform/zip/archive.ts'
import { findAttachment, requireHarmless } from '../attachments/find.ts'
import { attachmentTrashed } from '../attachments/update.ts'
import { type Member, requireMember } from '../membership.ts'
import { accountIdOf } from '../notifications/notify.ts'
import { lockTree } from '../pages/tree.ts'
import type { ImportRow } from './internal/find.ts'
import { failImport, finishImport } from './internal/finish.ts'
import { ImportRefused } from './internal/limits.ts'
import { planImport } from './internal/plan.ts'
import { readArchive } from './internal/read.ts'
import { Report } from './internal/report.ts'
import { freeTitles } from './internal/titles.ts'

/**
 * Runs the imports that were begun, one after the other. An import that a dead worker had begun starts again
 * from its beginning.
 */
export async function runImports(services: JobServices): Promise<void> {
  const find = (limit: number) =>
    services.db
      .selectFrom('market.imports')
      .select('id')
      .where('state', '=', 'running')
      .orderBy('id')
      .limit(limit)
      .execute()
  await forEachPending(services, 'import', { find, act: ({ id }) => runImport(services, id), atOnce: 20 })
}

async function runImport(services: JobServices, id: string): Promise<void> {
  const { db } = services
  const isRunning = sql<boolean>`id = ${id} and state = 'running'`
  const begun = await beginAttempt(db, 'market.imports', 'attempts', isRunning)
  if (!begun) return
  try {
    if (begun.isUsedUp) throw new ImportRefused('The archive could not be read.')
    await importArchive(services, begun.row)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    await inTransaction(db, 'read write', (tx) => failImport(tx, begun.row, failure))
  }
}

/**
 * Reads the archive and stores its files, and then creates everything in one transaction. Stored files
 * without a row are removed later.
 */
async function importArchive({ db, settings }: JobServices, begun: ImportRow): Promise<void> {
  const member = await importerOf(db, begun)
  if (begun.attachment_id === null) throw new ImportRefused('The archive is gone.')
  const archive = await findAttachment(db, member, begun.attachment_id)
  if (archive.trashed_at !== null) throw attachmentTrashed()
  requireHarmless(settings, archive.scan_state)
  const report = new Report()
  const { texts, matters, files } = await readArchive(db, settings, archive, report)
  const contents = { name: archive.filename, texts, matters, files: new Set(files.keys()) }
  const written = await planImport(contents, (titles) => freeTitles(db, begun, titles), report)
  await inTransaction(db, 'read write', async (tx) => {
    await lockTree(tx, begun.org_id)
    // Reading took time: a member who was removed from the org meanwhile creates nothing there any more.
    await finishImport(tx, settings.rules, await importerOf(tx, begun), begun, { written, stored: files, report })
  })
}

/**
 * Returns the member who began an import, who must still be in the org. Throws the uniform 404, and 403 for
 * an agent that is shut out.
 */
async function importerOf(db: Db | Tx, { org_id, created_by, via }: ImportRow): Promise<Member> {
  const agentId = parseUrn('agent', created_by) ?? null
  const agent =
    agentId === null
      ? undefined
      : await db.selectFrom('market.agents').select('owner_id').where('id', '=', agentId).executeTakeFirst()
  const org = await db.selectFrom('market.orgs').select('slug').where('id', '=', org_id).executeTakeFirst()
  if (!org) throw notFound('org')
  const actor = { humanId: agent?.owner_id ?? accountIdOf(created_by), agentId, session: null }
  return { ...(await requireMember(db, actor, org.slug)), via }
}

function failureOf(error: unknown): string | undefined {
  if (error instanceof ArchiveRefused) return error.message
  return error instanceof Problem ? error.detail : undefined
}
