import { sql } from 'kysely'
import type { Actor, MarketRules } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { reserveBytes } from '../../attachments/storage.ts'
import { requireMember } from '../../membership.ts'
import { findEntry, findPage } from '../../pages/find.ts'
import type { UploadRow } from './find.ts'
import { leasedUntil } from './lease.ts'
import { readMetadata, type UploadMetadata } from './metadata.ts'

/** The data of a new upload. It is leased to its first request. */
export interface NewUpload {
  id: string
  leaseId: string
  lengthBytes: number
  metadata: UploadMetadata
}

/**
 * Begins an upload, and reserves room for it. Throws 400 for invalid metadata, 404 for an org, page or entry
 * that does not exist, 413 if the quota does not allow it.
 */
export async function beginUpload(
  tx: Tx,
  rules: MarketRules,
  actor: Actor,
  { id, leaseId, lengthBytes, metadata }: NewUpload,
): Promise<UploadRow> {
  const { org, placement } = readMetadata(metadata)
  const member = await requireMember(tx, actor, org)
  await findPage(tx, member, placement.page)
  if (placement.entry !== null) await findEntry(tx, member, placement.entry)
  const { orgId, urn } = member
  const length = BigInt(lengthBytes)
  await reserveBytes(tx, rules, orgId, length)
  return tx
    .insertInto('market.uploads')
    .values({
      ...{ id, org_id: orgId, created_by: urn, length_bytes: length, reserved_bytes: length },
      metadata: JSON.stringify(metadata),
      lease_id: leaseId,
      leased_until: leasedUntil(),
      expires_at: sql<Date>`market.now() + make_interval(secs => ${rules.uploadSeconds})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
