import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import type { MarketRules } from '../../../context.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import type { Member } from '../../membership.ts'
import { endReservation, quotaExceeded } from '../storage.ts'

/** Longer than any request may take. The reservation of a process that died ends after this. */
const LONGEST_SECONDS = 7_200
/** How far ahead room is reserved for a body that does not say its length. */
const AHEAD_BYTES = 1_048_576

/**
 * Reserves room for a file before its bytes are read, and passes a function that reserves more as bytes
 * arrive, if their length is not known. Gives the room back if `receive` throws; otherwise the verb that
 * takes the bytes does. Throws 413 if the quota of the org does not allow it.
 */
export async function underReservation<Received>(
  { db, settings }: Services,
  { orgId, urn }: Member,
  lengthBytes: number | undefined,
  receive: (
    reservationId: string,
    measure: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
  ) => Promise<Received>,
): Promise<Received> {
  const id = newId()
  const reserve = (moreBytes: number) => reserveRoom(db, settings.rules, { id, orgId, urn }, moreBytes)
  await reserve(lengthBytes ?? 0)
  try {
    return await receive(id, (bytes) => (lengthBytes === undefined ? reserving(bytes, reserve) : bytes))
  } catch (error) {
    await endReservation(db, id)
    throw error
  }
}

async function* reserving(
  bytes: AsyncIterable<Uint8Array>,
  reserve: (moreBytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let leftBytes = 0
  for await (const chunk of bytes) {
    if (chunk.byteLength > leftBytes) {
      await reserve(chunk.byteLength + AHEAD_BYTES)
      leftBytes += chunk.byteLength + AHEAD_BYTES
    }
    leftBytes -= chunk.byteLength
    yield chunk
  }
}

/** Reserves this many bytes more, in one statement: all of it or nothing. */
async function reserveRoom(
  db: Db,
  { maxOrgBytes }: MarketRules,
  { id, orgId, urn }: { id: string; orgId: string; urn: string },
  moreBytes: number,
): Promise<void> {
  const { rows } = await sql`
    with room as (
      insert into market.storage_usage as usage (org_id, reserved_bytes)
      select ${orgId}::uuid, ${moreBytes}::bigint where ${moreBytes}::bigint <= ${maxOrgBytes}::bigint
      on conflict (org_id) do update set reserved_bytes = usage.reserved_bytes + excluded.reserved_bytes
      where usage.used_bytes + usage.reserved_bytes + excluded.reserved_bytes <= ${maxOrgBytes}
      returning org_id)
    insert into market.uploads as upload (id, org_id, created_by, is_direct, metadata, reserved_bytes, expires_at)
    select ${id}::uuid, org_id, ${urn}, true, '{}', ${moreBytes}::bigint,
      market.now() + make_interval(secs => ${LONGEST_SECONDS}) from room
    on conflict (id) do update set reserved_bytes = upload.reserved_bytes + excluded.reserved_bytes
    returning id`.execute(db)
  if (rows.length === 0) throw quotaExceeded(maxOrgBytes)
}
