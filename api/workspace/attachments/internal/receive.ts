import type { CallContext } from '../../../context.ts'
import { blobsOf } from '../../../platform/blobs/open.ts'
import { readStream } from '../../../platform/http/serve/body.ts'
import { readForm } from '../../../platform/http/serve/form.ts'
import type { Input } from '../../../platform/http/serve/receive.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { requireMember } from '../../membership.ts'
import { findPage } from '../../pages/find.ts'
import { entryOf, type Placement } from '../attach.ts'
import { findAttachment } from '../find.ts'
import { type replaceContent, type uploadAttachment, uploadForm } from '../routes.ts'
import { endReservation, fileTooLarge, type StoredBytes, storeBytes } from '../storage.ts'
import { attachmentTrashed } from '../update.ts'
import { underReservation } from './reserve.ts'

// The fields of a form besides its file.
const FORM_BYTES = 65_536
const UNNAMED = 'file'

/** A form whose file is stored. */
export interface ReceivedForm {
  placement: Placement
  stored: StoredBytes
}

/**
 * Stores the file of an upload form as it arrives, after checking that the sender is in the org and that its
 * page and entry exist, and reserving room. Throws 404, 400 for invalid fields, 413 at the first byte beyond
 * the limit; nothing is stored or reserved then.
 */
export async function receiveForm(
  services: Services,
  { actor }: CallContext,
  { params, raw }: Input<typeof uploadAttachment>,
): Promise<ReceivedForm> {
  const { db, settings } = services
  const member = await requireMember(db, actor, params.org)
  const maxBytes = settings.rules.maxFormUploadBytes
  const lengthBytes = announced(raw.header)
  if ((lengthBytes ?? 0) > maxBytes + FORM_BYTES) throw fileTooLarge(maxBytes)
  return underReservation(services, member, lengthBytes, async (reservationId, measure) => {
    let stored: StoredBytes | undefined
    try {
      return await readForm(raw, uploadForm, async ({ page, entry = null, filename, insert, cursor = null }, file) => {
        await entryOf(db, member, (await findPage(db, member, page)).id, entry)
        const placement = { page, entry, filename: filename ?? file.filename ?? UNNAMED, insert, cursor }
        stored = await storeBytes(settings, measure(file.bytes), maxBytes)
        return { placement, stored: { ...stored, reservationId } }
      })
    } catch (error) {
      // The part of the form after the file may be malformed.
      if (stored) await blobsOf(settings).remove(stored.id)
      throw error
    }
  })
}

/**
 * Stores the new bytes of an attachment as they arrive. Throws 404, 409 for an attachment in the trash, and
 * 413.
 */
export async function receiveContent(
  services: Services,
  { actor }: CallContext,
  { params, raw }: Input<typeof replaceContent>,
): Promise<StoredBytes> {
  const { db, settings } = services
  const member = await requireMember(db, actor, params.org)
  const { trashed_at } = await findAttachment(db, member, params.ref)
  if (trashed_at !== null) throw attachmentTrashed()
  const maxBytes = settings.rules.maxFormUploadBytes
  const lengthBytes = announced(raw.header)
  if ((lengthBytes ?? 0) > maxBytes) throw fileTooLarge(maxBytes)
  return underReservation(services, member, lengthBytes, async (reservationId, measure) => {
    const stored = await storeBytes(settings, measure(readStream(raw.stream)), maxBytes)
    return { ...stored, reservationId }
  })
}

/** Undoes an upload that the verb refused: removes its bytes and gives back its reserved room. */
export async function discardStored({ db, settings }: Services, { id, reservationId }: StoredBytes): Promise<void> {
  await blobsOf(settings).remove(id)
  if (reservationId) await endReservation(db, reservationId)
}

/** Returns the length of a body, or undefined if its sender does not say. */
function announced(header: (name: string) => string | undefined): number | undefined {
  const length = header('content-length')
  return length === undefined ? undefined : Number(length)
}
