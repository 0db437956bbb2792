import { newId } from '../../../../protocol/encoding/ids.ts'
import type { Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findAttachment, requireHarmless } from '../../attachments/find.ts'
import { attachmentTrashed } from '../../attachments/update.ts'
import type { Member } from '../../membership.ts'
import { findPage, idForEvent } from '../../pages/find.ts'
import { pageProblems } from '../../pages/problems.ts'
import { recordChange } from '../../recordChange.ts'
import { newShortId } from '../../schemas.ts'
import { openSpace } from '../../spaces/find.ts'
import { importEvents } from '../module.ts'
import type { ImportRow } from './find.ts'

/** The archive to import, and the place of its pages, by short ids or UUIDs. */
export interface NewImport {
  attachment: string
  space: string
  parent?: string | undefined
}

/**
 * Begins the import of an archive that is an attachment; the worker runs it. Throws the uniform 404, 403 for
 * an archive in quarantine, 409 for one in the trash or an archived space, 422 if the page above is in
 * another space.
 */
export async function startImport(
  tx: Tx,
  settings: Pick<Settings, 'scanner'>,
  member: Member,
  input: NewImport,
): Promise<ImportRow> {
  const { orgId, urn, via } = member
  const space = await openSpace(tx, member, input.space)
  const parent = input.parent === undefined ? undefined : await findPage(tx, member, input.parent)
  if (parent && parent.space_id !== space.id) {
    throw new Problem(pageProblems.pageTree, { detail: 'The page above it is in another space.', field: 'parent' })
  }
  const archive = await findAttachment(tx, member, input.attachment)
  if (archive.trashed_at !== null) throw attachmentTrashed()
  requireHarmless(settings, archive.scan_state)
  const started = await tx
    .insertInto('market.imports')
    .values({
      ...{ id: newId(), short_id: newShortId(), org_id: orgId, space_id: space.id, parent_id: parent?.id ?? null },
      ...{ attachment_id: archive.id, created_by: urn, via },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const data = { attachment_id: await idForEvent(tx, archive, space.id) }
  await recordChange(tx, orgId, member, {
    type: importEvents['import.started'],
    entity: started,
    spaceId: space.id,
    data,
  })
  return started
}
