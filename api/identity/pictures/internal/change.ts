import { newSecretId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountUrn } from '../../../actor.ts'
import type { Actor, CallContext } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { readStream, tooLarge } from '../../../platform/http/serve/body.ts'
import type { RawInput } from '../../../platform/http/serve/input.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { squarePicture } from '../../../platform/pictures/squarePicture.ts'
import { readOrg, requireRole } from '../../orgs/find.ts'
import { pictureEvents } from '../module.ts'
import { pictureProblems } from '../problems.ts'
import type { Subject } from '../routes.ts'
import type { PictureRow } from './find.ts'

const COLUMNS = { human: 'human_id', agent: 'agent_id', org: 'org_id' } as const

/**
 * Makes the square of a picture that is sent, after checking that the sender may set it. Throws the uniform
 * 404 for somebody else's subject, 403 for an org of which the caller is a mere member, 413 at the first byte
 * beyond the limit, 422 pictures/unreadable.
 */
export async function receivePicture(
  { db, settings }: Services,
  { actor }: CallContext,
  subject: Subject,
  raw: RawInput,
): Promise<Buffer> {
  await requireOwn(db, actor, subject)
  const { maxPictureBytes: maxBytes } = settings.rules
  if (Number(raw.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const square = await squarePicture(settings, measured(raw, maxBytes))
  if (square) return square
  throw new Problem(pictureProblems.unreadable, {
    detail: 'The picture cannot be read. Send a PNG, JPEG, WebP, GIF, TIFF or AVIF of at most 50 million pixels.',
  })
}

/** Sets the picture of a subject, in place of an earlier one. Throws as `receivePicture` does. */
export async function setPicture(tx: Tx, actor: Actor, subject: Subject, square: Buffer): Promise<PictureRow> {
  await requireOwn(tx, actor, subject)
  const column = COLUMNS[subject.kind]
  // Nothing but this id keeps the address of a picture from being found.
  const set = { id: newSecretId(), webp: square }
  const { id, created_at } = await tx
    .insertInto('market.pictures')
    .values({ ...set, [column]: subject.id })
    .onConflict((conflict) =>
      conflict.column(column).doUpdateSet({ ...set, created_at: (own) => own.ref('excluded.created_at') }),
    )
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  await tell(tx, actor, subject, true)
  return { of: subject.id, id, created_at }
}

/** Removes the picture of a subject, if it has one. Throws as `receivePicture` does. */
export async function removePicture(tx: Tx, actor: Actor, subject: Subject): Promise<void> {
  await requireOwn(tx, actor, subject)
  const removed = await tx
    .deleteFrom('market.pictures')
    .where(COLUMNS[subject.kind], '=', subject.id)
    .returning('id')
    .executeTakeFirst()
  if (removed) await tell(tx, actor, subject, false)
}

async function requireOwn(db: Db, actor: Actor, { kind, id }: Subject): Promise<void> {
  if (kind === 'org') return requireRole(await readOrg(db, actor, id), ['owner', 'admin'])
  if (kind === 'human') {
    if (id === actor.humanId) return
    throw notFound('human')
  }
  const own = db.selectFrom('market.agents').select('id').where('id', '=', id).where('owner_id', '=', actor.humanId)
  await own.executeTakeFirstOrThrow(() => notFound('agent'))
}

async function* measured(raw: RawInput, maxBytes: number): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0
  for await (const chunk of readStream(raw.stream)) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

async function tell(tx: Tx, actor: Actor, { kind, id }: Subject, hasPicture: boolean): Promise<void> {
  const subject = urnString(kind, id)
  const members = tx.selectFrom('market.org_members').select('human_id').where('org_id', '=', id)
  const visibleTo = kind === 'org' ? (await members.execute()).map(({ human_id }) => human_id) : [id]
  await emit(tx, pictureEvents['picture.changed'], {
    payload: { subject_urn: subject, has_picture: hasPicture },
    visibleTo,
  })
  const action = hasPicture ? 'picture.set' : 'picture.remove'
  await audit(tx, { actor: accountUrn(actor), action, subject })
}
