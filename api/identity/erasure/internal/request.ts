import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountUrn } from '../../../actor.ts'
import type { Actor, CallContext } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { findEraseAt } from '../../accounts/eraseAt.ts'
import { ErasureChanged } from '../../announcements.ts'
import { erasureEvents } from '../module.ts'
import { requireErasable } from './blockers.ts'

/**
 * Files a request to erase the caller, and returns when it is due. Changes nothing if one is filed. Throws
 * erase_blocked while they have something open.
 */
export async function requestErasure(tx: Tx, actor: Actor): Promise<Date> {
  const { humanId } = actor
  const { rows: filed } = await sql`
    insert into market.erasure_requests (human_id) values (${humanId}) on conflict do nothing returning human_id`.execute(
    tx,
  )
  if (filed.length > 0) {
    await requireErasable(tx, humanId)
    const subject = urnString('human', humanId)
    await audit(tx, { actor: accountUrn(actor), action: 'human.erase_request', subject })
  }
  const eraseAt = await findEraseAt(tx, humanId)
  if (!eraseAt) throw new Error(`the request to erase ${humanId} is gone`)
  return eraseAt
}

/** Cancels the erasure of the caller, and tells them. Throws resource/not-found if none was requested. */
export async function cancelErasure(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
): Promise<void> {
  const { humanId } = actor
  const { numDeletedRows } = await tx
    .deleteFrom('market.erasure_requests')
    .where('human_id', '=', humanId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('request to be erased')
  const subject = urnString('human', humanId)
  await audit(tx, { actor: accountUrn(actor), action: 'human.erase_cancel', subject })
  await emit(tx, erasureEvents['erasure.cancelled'], { payload: { human_urn: subject }, visibleTo: [humanId] })
  await announce(tx, settings, ErasureChanged, { change: 'cancelled', humanId })
}
